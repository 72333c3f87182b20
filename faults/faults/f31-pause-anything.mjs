import { underLoad } from '../load/standard.mjs';
import { LONG_RETRIES_MS, QUICK_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep } from '../rig/waiting.mjs';

/** Shorter and longer than the leases (connections 12 s, lanes 25 s) and the time until other processes take over. */
const PAUSES_MS = [1_500, 9_000, 11_500, 13_000, 16_000, 24_000, 27_000, 33_000, 45_000];
/** Number of processes that are paused at the same time. */
const PAUSERS = 2;

/** A migrated machine or swapped memory pauses a process. When it resumes, other processes may hold its leases. */
export const f31 = {
  id: 'F31',
  title: 'SIGSTOP of any process for 2 to 45 s, two at a time, then SIGCONT',
  lengths: {
    short: { chats: 20, messages: 1_800, perSecond: 30, forMs: 60_000 },
    long: { chats: 100, messages: 18_000, perSecond: 60, forMs: 300_000 },
  },
  async run(rig, { forMs, ...load }, verdict) {
    const retriesMs = rig.length === 'short' ? QUICK_RETRIES_MS : LONG_RETRIES_MS;
    await rig.open({
      processes: { api: 'api', gateway: 'gateway', gateway2: 'gateway', worker: 'worker', worker2: 'worker' },
      platforms: { telegram: {}, discord: {}, slack: { options: { retriesMs } } },
    });
    let pauses = 0;
    const { figures } = await underLoad(rig, load, verdict, async () => {
      pauses = await pauseForAWhile(rig, forMs);
    });
    const doubtful = figures.uncertain + figures.marked;
    const { inFlight } = rig.writes;
    verdict.criterion('uncertain + marked ≤ in flight', `${doubtful} of ${inFlight}`, doubtful <= inFlight);
    verdict.happened('pauses', pauses, Math.floor(forMs / 50_000) * PAUSERS);
    verdict.add('pauses', pauses);
  },
};

/** Resolves with the number of pauses. Records the writes in progress at the pauses of workers. */
async function pauseForAWhile(rig, forMs) {
  const awake = new Set(Object.values(rig.processes));
  const end = Date.now() + forMs;
  let pauses = 0;
  const pauser = async () => {
    while (Date.now() < end) {
      await sleep(rig.random.integer(500, 5_000));
      const one = rig.random.pick([...awake]);
      awake.delete(one);
      process.kill(one.pid, 'SIGSTOP');
      pauses += 1;
      if (one.name.startsWith('worker')) await rig.writes.record();
      await sleep(rig.random.pick(PAUSES_MS));
      process.kill(one.pid, 'SIGCONT');
      awake.add(one);
    }
  };
  await Promise.all(Array.from({ length: PAUSERS }, pauser));
  return pauses;
}
