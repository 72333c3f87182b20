import { underLoad } from '../load/standard.mjs';
import { sleep } from '../rig/waiting.mjs';

/** Redis is killed and restarts empty. */
export const f06 = {
  id: 'F6',
  title: 'Redis killed without persistence, and down for a minute',
  needsRedis: true,
  lengths: {
    short: { chats: 10, messages: 240, perSecond: 40, awayMs: 4_000 },
    long: { chats: 250, messages: 18_000, perSecond: 200, awayMs: 60_000 },
  },
  async run(rig, { awayMs, ...load }, verdict) {
    await rig.open({ queue: 'redis', platforms: { telegram: {}, discord: {} } });
    let accepted = 0;
    let isDown = 0;
    await underLoad(rig, load, verdict, async ({ sender, spanMs }) => {
      await sleep(rig.random.integer(spanMs / 10, spanMs / 5));
      await rig.redis.kill();
      const before = sender.sends.filter(({ ackedAt }) => ackedAt !== undefined).length;
      isDown = rig.redis.isUp ? 0 : 1;
      await sleep(awayMs);
      accepted = sender.sends.filter(({ ackedAt }) => ackedAt !== undefined).length - before;
      await rig.redis.start();
    });
    verdict.happened('Redis was down', isDown);
    verdict.criterion('sends accepted while Redis was down', accepted, accepted > 0);
  },
};
