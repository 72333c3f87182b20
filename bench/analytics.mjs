import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { verify } from './analytics/verify.mjs';
import { populate } from './paging/population.mjs';
import { startService, withDataDir } from './support/service.mjs';
import { median, percentile } from './support/stats.mjs';

const ROWS = 10_000_000;
const MAX_MS = 100;
const WARM_UP = 5;
const REQUESTS = 60;
const DAY_MS = 86_400_000;
/** A time zone far from UTC, with daylight saving time. */
const ZONE = 'America/Los_Angeles';

/** The requests: number of days, interval and group. */
const SHAPES = [
  { what: 'a week by hour', days: 7, interval: 'hour' },
  { what: '30 days by hour', days: 30, interval: 'hour' },
  { what: 'a year by day', days: 365, interval: 'day' },
  { what: 'a year by day and platform', days: 365, interval: 'day', by: 'platform' },
  { what: 'a year by day and status', days: 365, interval: 'day', by: 'status' },
  { what: 'a year by day and agent', days: 365, interval: 'day', by: 'agent' },
];

/** Analytics over a year of messages. `keep` names a folder that keeps them for the next run. */
export async function analytics({ rows = ROWS, only = '', keep } = {}) {
  const run = (dataDir) => measure(dataDir, { rows, only });
  return keep === undefined ? withDataDir(run) : run(await folder(keep, rows));
}

async function folder(keep, rows) {
  const dataDir = join(resolve(keep), String(rows));
  await mkdir(dataDir, { recursive: true });
  return dataDir;
}

async function measure(dataDir, { rows, only }) {
  const note = join(dataDir, 'filled.json');
  const filled = await readFile(note, 'utf8').then(JSON.parse, () => undefined);
  const service = await startService(dataDir, filled === undefined ? {} : { key: filled.key });
  try {
    const until = filled?.until ?? (await fill(dataDir, rows));
    if (filled === undefined) await writeFile(note, JSON.stringify({ key: service.key, until }));
    const to = Date.parse(until);
    await verify(service, dataDir, { from: new Date(to - 365 * DAY_MS).toISOString(), to: until });
    console.log('  every sum equals the count of the messages');
    const readers = { api: readApi(service, to), dashboard: await readDashboard(service, to) };
    const lines = [];
    for (const [name, read] of Object.entries(readers))
      for (const shape of SHAPES) {
        const what = `${name}: ${shape.what}`;
        if (what.includes(only)) lines.push(line(what, rows, await times(() => read(shape))));
      }
    return lines;
  } finally {
    await service.stop();
  }
}

async function fill(dataDir, rows) {
  const { until } = await populate(dataDir, rows, (what) => console.log(`  ${what}`), { areAlone: true });
  return until;
}

/** Both ends of the range lie within an hour. */
const readApi = (service, to) => {
  const at = (ms) => new Date(ms).toISOString();
  return ({ days, interval, by }) => {
    const query = new URLSearchParams({ from: at(to - days * DAY_MS), to: at(to), interval });
    if (by !== undefined) query.set('group_by', by);
    return service.call('GET', `/openapi/analytics/messages?${query}`);
  };
};

async function readDashboard({ url }, to) {
  const answer = await fetch(`${url}/dashboard/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.com', password: 'only for benchmarks' }),
  });
  const cookie = answer.headers.getSetCookie().map((each) => each.split(';')[0]);
  const date = (ms) => new Date(ms).toISOString().slice(0, 10);
  return async ({ days, interval, by }) => {
    const query = new URLSearchParams({ from: date(to - (days - 1) * DAY_MS), to: date(to), interval });
    query.set('time_zone', ZONE);
    if (by !== undefined) query.set('group_by', by);
    const response = await fetch(`${url}/dashboard/api/analytics?${query}`, {
      headers: { cookie: cookie.join('; ') },
    });
    const found = await response.json();
    if (!response.ok) throw new Error(`The dashboard answered ${response.status}: ${JSON.stringify(found)}`);
    return found;
  };
}

/** Times in milliseconds, from the request to the parsed response. */
async function times(read) {
  for (let n = 0; n < WARM_UP; n += 1) await read();
  const found = [];
  for (let n = 0; n < REQUESTS; n += 1) {
    const startedAt = performance.now();
    await read();
    found.push(performance.now() - startedAt);
  }
  return found;
}

function line(what, rows, found) {
  const p95 = percentile(found, 0.95);
  console.log(`  ${what}: p95 ${p95.toFixed(1)} ms`);
  return {
    what: `Messages in the ${what}, of ${rows}`,
    ours: `p50 ${median(found).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, highest ${Math.max(...found).toFixed(1)} ms`,
    limit: '–',
    figure: `${p95.toFixed(0)} ms`,
    required: `p95 ≤ ${MAX_MS} ms`,
    met: p95 <= MAX_MS,
  };
}
