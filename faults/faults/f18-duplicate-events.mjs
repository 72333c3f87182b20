import { judgePosts } from '../ledger/inbound.mjs';
import { judgeWebhooks } from '../ledger/webhooks.mjs';
import { People } from '../load/people.mjs';

/** Every event is delivered repeatedly, in random order, to two replicas, immediately and an hour later. */
export const f18 = {
  id: 'F18',
  title: 'Every event delivered three times, shuffled, to two replicas, and again after an hour',
  lengths: {
    short: { chats: 10, events: 150, perSecond: 75 },
    long: { chats: 100, events: 9_999, perSecond: 200 },
  },
  async run(rig, { chats: each, events, perSecond }, verdict) {
    await rig.open({
      processes: { one: 'api,gateway,worker', two: 'api' },
      platforms: {
        slack: {},
        telegram: { settings: { ingress: 'webhook' } },
        sms: {},
      },
    });
    const platforms = Object.values(rig.platforms);
    const chats = await rig.conversations(each);
    for (const platform of platforms)
      await platform.ask('repeatDeliveries', { times: 2, seed: rig.random.integer(1, 1e6) });
    const people = new People();
    await people.run(chats, { count: events, perSecond });
    const stored = await rig.stored('inbound', events, 240_000);
    await rig.query(`UPDATE envelopes SET received_at = received_at - interval '1 hour'`);
    let acknowledged = 0;
    for (const platform of platforms)
      acknowledged += await platform.ask('repeatAll', rig.random.integer(1, 1e6));
    const seconds = await rig.quiet(240_000);
    verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
    verdict.nothingWrong('webhooks', await judgeWebhooks(rig));
    verdict.criterion('stored', stored, stored === events);
    verdict.happened('acknowledged redeliveries', acknowledged, 3 * events);
    verdict.criterion('everything settled', seconds?.toFixed(1) ?? 'no', seconds !== undefined);
  },
};
