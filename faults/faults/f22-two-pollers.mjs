import { judgePosts } from '../ledger/inbound.mjs';
import { judgeWebhooks } from '../ledger/webhooks.mjs';
import { People } from '../load/people.mjs';
import { sleep } from '../rig/waiting.mjs';

/** Two replicas could poll with one token; one does, and when it dies the other takes its place. */
export const f22 = {
  id: 'F22',
  title: 'Two replicas for one bot that polls, the leader killed',
  lengths: {
    short: { chats: 20, events: 300, perSecond: 75 },
    long: { chats: 100, events: 10_000, perSecond: 100 },
  },
  async run(rig, { chats: each, events, perSecond }, verdict) {
    await rig.open({
      processes: { api: 'api,worker', one: 'gateway', two: 'gateway' },
      platforms: { telegram: { settings: { ingress: 'poll' } } },
    });
    const { telegram } = rig.platforms;
    const chats = await rig.conversations(each);
    const people = new People();
    const load = people.run(chats, { count: events, perSecond });
    for (let kills = 0; kills < 2; kills += 1) {
      await sleep(rig.random.integer(500, 1_500));
      const name = kills === 0 ? 'one' : 'two';
      rig.processes[name].strike();
      await rig.lapse(name);
    }
    await load;
    const stored = await rig.stored('inbound', events, rig.length === 'short' ? 240_000 : 600_000);
    await rig.quiet(240_000);
    verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
    verdict.nothingWrong('webhooks', await judgeWebhooks(rig));
    verdict.bar('stored', `${stored} of ${events}`, stored === events);
    verdict.struck('kills', rig.processes.one.kills + rig.processes.two.kills, 2);
    const conflicts = await telegram.ask('answered', 'getUpdates', 409);
    // Who was killed may leave a poll open, which the next one ends.
    verdict.bar('polls that met another one', conflicts, conflicts <= 4);
  },
};
