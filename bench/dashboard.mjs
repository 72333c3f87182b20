import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openBrowser, signIn } from './dashboard/browser.mjs';
import { firstLoad, frames, opening, scrolling } from './dashboard/measures.mjs';
import { addLongConversation } from './dashboard/population.mjs';
import { populate } from './paging/population.mjs';
import { startChild } from './support/child.mjs';
import { startService, withDataDir } from './support/service.mjs';
import { median, percentile } from './support/stats.mjs';

const ROWS = 1_000_000;
const LONG = 100_000;
const LOADS = 5;
const OPENINGS = 11;
const SEARCHES = 100;
const PER_SECOND = 100;
const SECONDS = 30;
const KIB = 1_024;
const LIMITS = { scriptKiB: 300, interactiveMs: 1_500, openingMs: 200, taskMs: 50, searchMs: 200 };

/**
 * The dashboard in Chromium over a million messages in ten thousand conversations. `keep` names a folder that keeps them
 * for the next run.
 */
export async function dashboard({ rows = ROWS, only = '', keep } = {}) {
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
  const browser = await openBrowser();
  try {
    const long = filled?.long ?? (await fill(dataDir, rows));
    if (filled === undefined) await writeFile(note, JSON.stringify({ key: service.key, long }));
    const parts = { load, conversation, search, inbox };
    const lines = [];
    for (const [name, part] of Object.entries(parts))
      if (name.includes(only)) lines.push(...(await part({ service, browser, long, rows })));
    return lines;
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function fill(dataDir, rows) {
  await populate(dataDir, rows, (what) => console.log(`  ${what}`));
  const long = await addLongConversation(dataDir, LONG);
  console.log('  the long conversation');
  return long;
}

/** The first visit of a browser with a session and an empty cache. */
async function load({ service, browser }) {
  const loads = [];
  for (let n = 0; n < LOADS; n += 1) {
    const page = await signIn(browser, service.url);
    loads.push(await firstLoad(page, `${service.url}/dashboard/inbox`));
    await page.context().close();
  }
  const script = Math.max(...loads.map(({ scriptBytes }) => scriptBytes)) / KIB;
  const interactive = median(loads.map(({ interactiveMs }) => interactiveMs));
  return [
    line('First load of the inbox: compressed JavaScript', `${Math.round(script)} KiB`, {
      required: `≤ ${LIMITS.scriptKiB} KiB`,
      met: script <= LIMITS.scriptKiB,
    }),
    line('First load of the inbox, until a conversation can be chosen', `p50 ${Math.round(interactive)} ms`, {
      required: `≤ ${LIMITS.interactiveMs} ms`,
      met: interactive <= LIMITS.interactiveMs,
    }),
  ];
}

async function conversation({ service, browser, long }) {
  const first = await openings({ service, browser, long }, false);
  const further = await openings({ service, browser, long }, true);
  const page = await signIn(browser, service.url);
  const { tasks, shown, longest } = await scrolling(page, service.url, long, LIMITS.taskMs);
  await page.context().close();
  return [
    line(
      `Opening a conversation of ${LONG} messages at its newest message, after another conversation`,
      describe(further),
      { required: `p50 ≤ ${LIMITS.openingMs} ms`, met: median(further) <= LIMITS.openingMs },
    ),
    line('The same as the first conversation of a page', describe(first), {
      required: 'published',
      met: true,
    }),
    line(
      `Scrolling through ${shown} of its messages`,
      `${tasks} tasks over ${LIMITS.taskMs} ms, the longest ${Math.round(longest)} ms`,
      { required: 'none', met: tasks === 0 },
    ),
  ];
}

async function openings({ service, browser, long }, after) {
  const times = [];
  for (let n = 0; n < OPENINGS; n += 1) {
    const page = await signIn(browser, service.url);
    times.push(await opening(page, service.url, long, after));
    await page.context().close();
  }
  return times;
}

const describe = (times) =>
  `p50 ${Math.round(median(times))} ms, highest ${Math.round(Math.max(...times))} ms`;

/** Search texts that one, many, some and no messages contain. */
async function search({ service, rows }) {
  const words = (n) =>
    [`Order ${n * 997 + 1} of`, 'left our warehouse', 'zanzibar', `no such word ${n}`][n % 4];
  const times = [];
  for (let n = 0; n < SEARCHES; n += 1) {
    const query = new URLSearchParams({ filter: `text:~"${words(n)}"`, limit: '25', cursor: '' });
    const startedAt = performance.now();
    await service.call('GET', `/openapi/messages?${query}`);
    times.push(performance.now() - startedAt);
  }
  const p95 = percentile(times, 0.95);
  return [
    line(`Search over ${rows} messages`, `p95 ${Math.round(p95)} ms, p50 ${Math.round(median(times))} ms`, {
      required: `p95 ≤ ${LIMITS.searchMs} ms`,
      met: p95 <= LIMITS.searchMs,
    }),
  ];
}

async function inbox({ service, browser, rows }) {
  const simulator = await startChild('simulator', 'telegram');
  try {
    await connect(service, simulator.info.account);
    const page = await signIn(browser, service.url);
    const posts = () =>
      simulator.ask({ question: 'posts', chats: 200, count: PER_SECOND * SECONDS, perSecond: PER_SECOND });
    const { slow, all, longest } = await frames(page, `${service.url}/dashboard/inbox`, posts, LIMITS.taskMs);
    await page.context().close();
    return [
      line(
        `Inbox with ${rows / 100} conversations, ${PER_SECOND} incoming messages a second for ${SECONDS} s`,
        `${slow} of ${all} frames over ${LIMITS.taskMs} ms, the longest ${Math.round(longest)} ms`,
        { required: 'published', met: true },
      ),
    ];
  } finally {
    await simulator.stop();
  }
}

async function connect(service, account) {
  const { id } = await service.call('POST', '/openapi/platforms/telegram/connections', {
    name: `Bench ${Date.now()}`,
    ...account,
  });
  const connection = () => service.call('GET', `/openapi/platforms/connections/${id}`);
  while ((await connection()).status !== 'connected') await new Promise((done) => setTimeout(done, 50));
}

const line = (what, ours, { required, met }) => ({
  what,
  ours,
  limit: '–',
  figure: ours.split(',')[0],
  required,
  met,
});
