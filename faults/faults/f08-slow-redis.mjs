import { underLoad } from '../load/standard.mjs';
import { sleep } from '../rig/waiting.mjs';

/** The line to Redis becomes slow, then swallows everything: locks of workers run out while they work. */
export const f08 = {
  id: 'F8',
  title: 'Redis 500 ms away, then behind a partition',
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
      // What was swallowed stays swallowed: the streams are broken, as after a lost route.
      rig.redisGate.cut();
    });
    verdict.struck('pieces that came late', rig.redisGate.delayed);
    verdict.struck('pieces that vanished', rig.redisGate.swallowed);
    verdict.bar('twice, even if marked', figures.marked, figures.marked === 0);
  },
};
