import { judgePosts } from '../ledger/inbound.mjs';
import { judgeWebhooks } from '../ledger/webhooks.mjs';
import { People } from '../load/people.mjs';
import { sleep } from '../rig/waiting.mjs';

/** Slack requests new sockets, cuts connections, and for a while rejects new sockets. */
export const f24 = {
  id: 'F24',
  title: 'Slack sockets: repeated disconnects, and more sockets than allowed',
  lengths: {
    short: { chats: 10, events: 300, perSecond: 40, everyMs: 1_500 },
    long: { chats: 100, events: 5_000, perSecond: 20, everyMs: 30_000 },
  },
  async run(rig, { chats: each, events, perSecond, everyMs }, verdict) {
    await rig.open({ platforms: { slack: { account: 'accountForGateway' } } });
    const { slack } = rig.platforms;
    const chats = await rig.conversations(each);
    const people = new People();
    let isDone = false;
    const load = people.run(chats, { count: events, perSecond }).finally(() => {
      isDone = true;
    });
    let disconnects = 0;
    for (; !isDone; disconnects += 1) {
      await sleep(everyMs);
      if (disconnects % 3 === 0) await slack.ask('socket', 'disconnect', 'refresh_requested');
      else if (disconnects % 3 === 1) await slack.ask('socket', 'cut');
      else {
        await slack.ask('crowd', 11);
        await sleep(everyMs);
        await slack.ask('crowd', 0);
      }
    }
    await load;
    const stored = await rig.stored('inbound', events, 240_000);
    await rig.quiet(240_000);
    verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
    verdict.nothingWrong('webhooks', await judgeWebhooks(rig));
    verdict.criterion('stored', `${stored} of ${events}`, stored === events);
    verdict.happened('disconnects, cuts and periods without a free socket', disconnects, 3);
    verdict.add('disconnects', disconnects);
  },
};
