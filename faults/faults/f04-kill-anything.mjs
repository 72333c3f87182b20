import { underLoad } from '../load/standard.mjs';
import { LONG_RETRIES_MS, QUICK_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep } from '../rig/waiting.mjs';

/** Any process may die at any time, also while it starts. What Twilio does not bring again is F10's. */
export const f04 = {
  id: 'F4',
  title: 'SIGKILL of any process, every 3 to 7 s',
  lengths: {
    short: { chats: 5, messages: 400, perSecond: 20, forMs: 20_000 },
    long: { chats: 125, messages: 30_000, perSecond: 100, forMs: 300_000 },
  },
  async run(rig, { forMs, ...load }, verdict) {
    const retriesMs = rig.length === 'short' ? QUICK_RETRIES_MS : LONG_RETRIES_MS;
    await rig.open({
      processes: { api: 'api', gateway: 'gateway', worker: 'worker' },
      platforms: { telegram: {}, discord: {}, slack: { options: { retriesMs } } },
    });
    const processes = Object.values(rig.processes);
    const { figures } = await underLoad(rig, load, verdict, async () => {
      for (const end = Date.now() + forMs; Date.now() < end; ) {
        await sleep(rig.random.integer(3_000, 7_000));
        const one = rig.random.pick(processes);
        one.strike();
        await rig.lapse(one.name);
      }
      for (const each of processes) await each.ready();
    });
    const kills = processes.reduce((sum, { kills: each }) => sum + each, 0);
    const doubtful = figures.uncertain + figures.marked;
    verdict.bar('uncertain or twice ≤ in flight', doubtful, doubtful <= 32 * 4 * rig.processes.worker.kills);
    verdict.struck('kills', kills, Math.floor(forMs / 7_000));
    verdict.add('kills', kills);
  },
};
