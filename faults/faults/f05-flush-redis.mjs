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
    await underLoad(rig, load, verdict, async ({ spanMs }) => {
      for (let flush = 0; flush < flushes; flush += 1) {
        await sleep(rig.random.integer(1, (2 * spanMs) / flushes));
        await rig.redis.call('FLUSHALL');
      }
      await sleep(spanMs / 10);
      await rig.redis.call('FLUSHALL');
    });
    await judgeBroadcast(rig, broadcast, verdict);
    verdict.add('flushes', flushes + 1);
  },
};
