import { underLoad } from '../load/standard.mjs';
import { sleep } from '../rig/waiting.mjs';

/** G13: limit for the latency that an outage of one platform adds to the others. */
const MAX_ADDED_MS = 100;

/** One platform stops responding. Connections to it hang, as in a network partition. */
export const f13 = {
  id: 'F13',
  title: 'Network cut to one of four platforms',
  lengths: {
    short: { chats: 10, messages: 400, perSecond: 40, beforeMs: 3_000, awayMs: 5_000 },
    long: { chats: 125, messages: 60_000, perSecond: 150, beforeMs: 60_000, awayMs: 300_000 },
  },
  async run(rig, { beforeMs, awayMs, ...load }, verdict) {
    await rig.open({ platforms: { discord: {}, slack: {}, sms: {}, telegram: {} } });
    const { telegram, ...others } = rig.platforms;
    let cutAt;
    let backAt;
    const { sender } = await underLoad(rig, load, verdict, async () => {
      await sleep(beforeMs);
      cutAt = Date.now();
      telegram.freeze(true);
      await sleep(awayMs);
      backAt = Date.now();
      telegram.freeze(false);
    });
    const held = sender.sends.filter(({ chat, ackedAt }) => chat.platform === telegram && ackedAt > cutAt);
    const heldUp = (await rig.waits(held)).filter(({ at, ms }) => at < backAt && at + ms >= backAt);
    verdict.happened('sends that waited until the platform was back', heldUp.length);
    const own = sender.sends.filter(({ chat }) => chat.platform !== telegram);
    const waits = await rig.waits(own);
    const before = percentile(
      waits.filter(({ at }) => at < cutAt),
      0.95,
    );
    const during = percentile(
      waits.filter(({ at }) => at >= cutAt && at < backAt),
      0.95,
    );
    verdict.add('p95 of the other platforms', { 'ms before': before, 'ms meanwhile': during });
    // Only a long run has enough samples and its own machine.
    const isInTime = during - before <= MAX_ADDED_MS;
    if (rig.length === 'long')
      verdict.timeCriterion('added to the p95 of the others', `${during - before} ms`, isInTime);
    verdict.add('other platforms', Object.keys(others).length);
  },
};

function percentile(waits, share) {
  const sorted = waits.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
