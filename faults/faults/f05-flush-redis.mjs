import { judgeBroadcast, startBroadcast } from '../ledger/broadcast.mjs';
import { underLoad } from '../load/standard.mjs';
import { sleep } from '../rig/waiting.mjs';

/** FLUSHALL: every reminder is gone, and with it every lock of a worker. */
export const f05 = {
  id: 'F5',
  title: 'Redis FLUSHALL at random instants',
  needsRedis: true,
  lengths: {
    short: { chats: 10, messages: 160, perSecond: 60, recipients: 300, flushes: 9 },
    long: { chats: 250, messages: 12_000, perSecond: 200, recipients: 10_000, flushes: 9 },
  },
  async run(rig, { recipients, flushes, ...load }, verdict) {
    await rig.open({ queue: 'redis', platforms: { telegram: {}, discord: {} } });
    const broadcast = await startBroadcast(rig, rig.platforms.telegram, recipients);
    let forgotten = 0;
    const flush = async () => {
      forgotten += await rig.redis.call('DBSIZE');
      await rig.redis.call('FLUSHALL');
    };
    await underLoad(rig, load, verdict, async ({ spanMs }) => {
      for (let number = 0; number < flushes; number += 1) {
        await sleep(rig.random.integer(1, (2 * spanMs) / flushes));
        await flush();
      }
      await sleep(spanMs / 10);
      await flush();
    });
    const { counts } = await judgeBroadcast(rig, broadcast, verdict);
    verdict.bar('broadcast: sent', counts.sent, counts.sent === recipients);
    verdict.struck('keys that were forgotten', forgotten, flushes);
    verdict.add('flushes', flushes + 1);
  },
};
