import { underLoad } from '../load/standard.mjs';
import { sleep } from '../rig/waiting.mjs';

/** The connection to Redis becomes slow, then drops all packets. Worker locks expire during their work. */
export const f08 = {
  id: 'F8',
  title: 'Redis with 500 ms latency, then a network partition',
  needsRedis: true,
  lengths: {
    short: { chats: 10, messages: 240, perSecond: 40, slowMs: 3_000, silentMs: 5_000 },
    long: { chats: 250, messages: 18_000, perSecond: 200, slowMs: 30_000, silentMs: 30_000 },
  },
  async run(rig, { slowMs, silentMs, ...load }, verdict) {
    await rig.open({ queue: 'redis', platforms: { telegram: {}, discord: {} } });
    const { figures } = await underLoad(rig, load, verdict, async () => {
      await sleep(rig.random.integer(200, 1_000));
      rig.redisGate.delayMs = 500;
      await sleep(slowMs);
      rig.redisGate.delayMs = 0;
      rig.redisGate.silent = true;
      await sleep(silentMs);
      rig.redisGate.silent = false;
      // Dropped packets are not sent again. Cut the incomplete streams.
      rig.redisGate.cut();
    });
    verdict.happened('packets delayed', rig.redisGate.delayed);
    verdict.happened('packets dropped', rig.redisGate.swallowed);
    verdict.criterion('marked duplicates', figures.marked, figures.marked === 0);
  },
};
