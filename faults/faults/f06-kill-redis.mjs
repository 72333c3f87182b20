import { underLoad } from '../load/standard.mjs';
import { sleep } from '../rig/waiting.mjs';

/** Redis dies and comes back empty. */
export const f06 = {
  id: 'F6',
  title: 'Redis SIGKILL without persistence, and away for a minute',
  needsRedis: true,
  lengths: {
    short: { chats: 10, messages: 240, perSecond: 40, awayMs: 4_000 },
    long: { chats: 250, messages: 18_000, perSecond: 200, awayMs: 60_000 },
  },
  async run(rig, { awayMs, ...load }, verdict) {
    await rig.open({ queue: 'redis', platforms: { telegram: {}, discord: {} } });
    let meanwhile = 0;
    let away = 0;
    await underLoad(rig, load, verdict, async ({ sender, spanMs }) => {
      await sleep(rig.random.integer(spanMs / 10, spanMs / 5));
      await rig.redis.kill();
      const before = sender.sends.filter(({ ackedAt }) => ackedAt !== undefined).length;
      away = rig.redis.isUp ? 0 : 1;
      await sleep(awayMs);
      meanwhile = sender.sends.filter(({ ackedAt }) => ackedAt !== undefined).length - before;
      await rig.redis.start();
    });
    verdict.struck('Redis is away', away);
    verdict.bar('accepted while it was away', meanwhile, meanwhile > 0);
  },
};
