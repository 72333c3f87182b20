import { judgePosts } from '../ledger/inbound.mjs';
import { judgeWebhooks } from '../ledger/webhooks.mjs';
import { People } from '../load/people.mjs';
import { LONG_RETRIES_MS, QUICK_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep } from '../rig/waiting.mjs';

/** SIGKILL of the receiving process before the commit, between commit and acknowledgement, and at random times. */
export const f03 = {
  id: 'F3',
  title: 'SIGKILL of the receiving process before the commit, between commit and acknowledgement, at random',
  lengths: {
    short: { chats: 6, events: 210, perSecond: 50, kills: 3 },
    long: { chats: 50, events: 5_000, perSecond: 60, kills: 12 },
  },
  async run(rig, { chats: each, events, perSecond, kills }, verdict) {
    await rig.open({
      processes: { receiver: 'api,gateway', worker: 'worker' },
      platforms: {
        slack: { options: { retriesMs: rig.length === 'short' ? QUICK_RETRIES_MS : LONG_RETRIES_MS } },
        telegram: { settings: { ingress: 'poll' } },
        'telegram by webhook': { platform: 'telegram', settings: { ingress: 'webhook' } },
        discord: {},
        sms: {},
      },
    });
    const chats = await rig.conversations(each);
    const people = new People();
    const load = people.run(rig.random.shuffle(chats), { count: events, perSecond });
    for (let kill = 0; kill < kills; kill += 1)
      await killAtMoment(rig, ['asked', 'done', 'random'][kill % 3]);
    await load;
    const stored = await rig.stored('inbound', events, rig.length === 'short' ? 240_000 : 600_000);
    await rig.quiet(240_000);
    verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
    verdict.nothingWrong('webhooks', await judgeWebhooks(rig));
    verdict.criterion('stored', stored, stored === events);
    verdict.happened('kills', rig.processes.receiver.kills, kills);
    verdict.add('kills', rig.processes.receiver.kills);
  },
};

async function killAtMoment(rig, moment) {
  const { receiver } = rig.processes;
  const { starts } = receiver;
  if (moment === 'random') {
    await sleep(rig.random.integer(100, 800));
    receiver.kill();
  } else {
    await new Promise((resolve) => {
      const hit = () => {
        receiver.kill();
        resolve();
      };
      const skip = rig.random.integer(1, 20);
      rig.gates.receiver.trap({ statement: 'receive_envelope', moment, skip, onHit: hit });
    });
  }
  await rig.lapse('receiver');
  await receiver.ready(starts);
}
