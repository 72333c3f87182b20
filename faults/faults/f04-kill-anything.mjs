import { underLoad } from '../load/standard.mjs';
import { LONG_RETRIES_MS, QUICK_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** Within so long everything has ended; short runs may share their machine. */
const TERMINAL_S = { short: 180, long: 60 };

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
    let lastKillAt = 0;
    let endedAfter;
    let inFlight = 0;
    const { figures } = await underLoad(rig, load, verdict, async () => {
      for (const end = Date.now() + forMs; Date.now() < end; ) {
        await sleep(rig.random.integer(3_000, 7_000));
        const one = rig.random.pick(processes);
        one.strike();
        lastKillAt = Date.now();
        if (one.name === 'worker') inFlight += await rig.underWay();
        await rig.lapse(one.name);
      }
      for (const each of processes) await each.ready();
      endedAfter = await secondsToEnd(rig, lastKillAt);
    });
    const kills = processes.reduce((sum, { kills: each }) => sum + each, 0);
    const doubtful = figures.uncertain + figures.marked;
    verdict.bar('uncertain or twice ≤ in flight', `${doubtful} of ${inFlight}`, doubtful <= inFlight);
    const fine = endedAfter !== undefined && endedAfter <= TERMINAL_S[rig.length];
    verdict.timed('all ended after the last kill', `${endedAfter?.toFixed(1) ?? 'not in 240'} s`, fine);
    verdict.struck('kills', kills, Math.floor(forMs / 7_000));
    verdict.add('kills', kills);
  },
};

/** How long everything that was accepted before the last kill took until nobody had to do anything about it any more. */
async function secondsToEnd(rig, killedAt) {
  const open = () =>
    rig.query(
      `SELECT 1 FROM deliveries WHERE created_at <= to_timestamp($1 / 1000.0) AND (status IN ('queued', 'sending')
         OR (status = 'uncertain' AND next_attempt_at IS NOT NULL AND uncertain_at > now() - interval '30 s')) LIMIT 1`,
      [killedAt],
    );
  const ended = await until(async () => (await open()).length === 0, 240_000, 250);
  return ended === true ? (Date.now() - killedAt) / 1000 : undefined;
}
