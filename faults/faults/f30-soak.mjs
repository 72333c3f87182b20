import { underLoad } from '../load/standard.mjs';
import { LONG_RETRIES_MS, QUICK_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep } from '../rig/waiting.mjs';
import { median, slopePerHour, Watch } from '../rig/watch.mjs';

const MINUTE_MS = 60_000;
/** Limit for the growth of memory per hour after the warm-up, as a share of the memory. */
const MAX_PER_HOUR = 0.01;
/** Warm-up time, and the minimum time after it for a measurement. */
const WARM_MS = 10 * MINUTE_MS;
const LEAST_MS = 30 * MINUTE_MS;
/** This share of a lifetime is skipped at its start, if it is longer than the warm-up. */
const SETTLING_SHARE = 1 / 3;
/** The number of handles varies with the requests in progress. */
const MAX_HANDLE_GROWTH = 100;
const MAX_ROW_GROWTH = 500;

/**
 * A fifth of the peak load for `--minutes`. Each period of `--kills-every` minutes starts with some minutes of random kills.
 * With longer periods, processes live longer and their memory is measured for longer.
 */
export const f30 = {
  id: 'F30',
  title: 'Soak with SIGKILL of any process for some minutes of each hour',
  lengths: {
    short: { minutes: 3, everyMinutes: 60, chats: 10, perSecond: 8, killingMs: 20_000 },
    long: { minutes: 60, everyMinutes: 60, chats: 125, perSecond: 40, killingMs: 300_000 },
  },
  async run(rig, { minutes, everyMinutes, perSecond, chats, killingMs }, verdict) {
    const retriesMs = rig.length === 'short' ? QUICK_RETRIES_MS : LONG_RETRIES_MS;
    await rig.open({
      processes: { api: 'api', gateway: 'gateway', worker: 'worker' },
      platforms: { telegram: {}, discord: {}, slack: { options: { retriesMs } } },
    });
    const watch = new Watch(rig);
    watch.start(minutes > 30 ? 10_000 : 1_000);
    const startsAt = Date.now();
    const endsAt = startsAt + minutes * MINUTE_MS;
    const messages = minutes * 60 * perSecond;
    const { figures } = await underLoad(rig, { chats, messages, perSecond }, verdict, async () => {
      for (let round = 1; Date.now() < endsAt; round += 1) {
        await killForAWhile(rig, killingMs);
        const nextAt = startsAt + round * everyMinutes * MINUTE_MS;
        await sleep(Math.max(0, Math.min(endsAt, nextAt) - Date.now()));
      }
    });
    const atEnd = await rig.openRows();
    await watch.stop();
    const kills = Object.values(rig.processes).reduce((sum, one) => sum + one.kills, 0);
    verdict.happened('kills', kills, Math.ceil(minutes / everyMinutes) * Math.floor(killingMs / 7_000));
    const { inFlight } = rig.writes;
    const doubtful = figures.uncertain + figures.marked;
    verdict.criterion('uncertain + marked ≤ in flight', `${doubtful} of ${inFlight}`, doubtful <= inFlight);
    verdict.criterion('pending rows at the end', atEnd, atEnd === 0);
    judgeRows(watch, verdict);
    for (const life of watch.longest()) judgeLife(life, verdict);
    verdict.add('soak', { minutes, 'messages each way': messages, kills });
  },
};

/** Kills random processes. Records the writes in progress at the kills of the worker. */
async function killForAWhile(rig, forMs) {
  const processes = Object.values(rig.processes);
  for (const end = Date.now() + forMs; Date.now() < end; ) {
    await sleep(rig.random.integer(3_000, 7_000));
    const one = rig.random.pick(processes);
    one.kill();
    if (one.name === 'worker') await rig.writes.record();
    await rig.lapse(one.name);
  }
  for (const each of processes) await each.ready();
}

/** Compares the pending rows in the last third of the time with those in the middle third. */
function judgeRows({ open }, verdict) {
  const third = Math.floor(open.length / 3);
  const middle = median(open.slice(third, 2 * third).map(({ rows }) => rows));
  const last = median(open.slice(2 * third).map(({ rows }) => rows));
  verdict.add('pending rows', { 'in the middle': middle, 'in the end': last });
  // A shared machine may fall behind. At the end no row may be pending.
  verdict.timeCriterion('growth of pending rows', last - middle, last - middle <= MAX_ROW_GROWTH);
}

function judgeLife({ name, samples }, verdict) {
  const lifetimeMs = samples.at(-1).at - samples[0].at;
  const settling = Math.max(Math.min(WARM_MS, lifetimeMs / 2), lifetimeMs * SETTLING_SHARE);
  const warm = samples.filter(({ at }) => at >= samples[0].at + settling);
  const half = Math.ceil(warm.length / 2);
  const handles = [warm.slice(0, half), warm.slice(half)].map((part) =>
    median(part.map((one) => one.handles)),
  );
  const growth = (handles[1] ?? handles[0]) - handles[0];
  verdict.criterion(`${name}: growth of open handles`, growth, growth <= MAX_HANDLE_GROWTH);
  const slope = slopePerHour(warm, ({ mib }) => mib);
  verdict.add(`${name} lifetime`, {
    minutes: Math.round(lifetimeMs / MINUTE_MS),
    MiB: Math.round(median(warm.map(({ mib }) => mib))),
    '% of growth an hour': Number((slope * 100).toFixed(1)),
    handles: handles[0],
  });
  if (lifetimeMs - WARM_MS < LEAST_MS) return;
  verdict.criterion(`${name}: memory growth per hour`, `${(slope * 100).toFixed(2)} %`, slope < MAX_PER_HOUR);
}
