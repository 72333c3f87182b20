import { underLoad } from '../load/standard.mjs';
import { LONG_RETRIES_MS, QUICK_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** Time limit for all work to finish. Short runs may share their machine. */
const TERMINAL_S = { short: 180, long: 60 };

/** Kills any process at any time, even during its start. F10 covers events that Twilio does not redeliver. */
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
    const { figures } = await underLoad(rig, load, verdict, async () => {
      for (const end = Date.now() + forMs; Date.now() < end; ) {
        await sleep(rig.random.integer(3_000, 7_000));
        const one = rig.random.pick(processes);
        one.kill();
        lastKillAt = Date.now();
        if (one.name === 'worker') await rig.writes.record();
        await rig.lapse(one.name);
      }
      for (const each of processes) await each.ready();
      endedAfter = await secondsToEnd(rig, lastKillAt);
    });
    const kills = processes.reduce((sum, { kills: each }) => sum + each, 0);
    const { inFlight } = rig.writes;
    const doubtful = figures.uncertain + figures.marked;
    verdict.criterion('uncertain + marked ≤ in flight', `${doubtful} of ${inFlight}`, doubtful <= inFlight);
    const isInTime = endedAfter !== undefined && endedAfter <= TERMINAL_S[rig.length];
    const time = `${endedAfter?.toFixed(1) ?? 'not within 240'} s`;
    verdict.timeCriterion('all finished after the last kill', time, isInTime);
    verdict.happened('kills', kills, Math.floor(forMs / 7_000));
    verdict.add('kills', kills);
  },
};

/** Seconds from the last kill until all deliveries accepted before it have finished. */
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
