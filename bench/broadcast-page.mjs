import { setTimeout as sleep } from 'node:timers/promises';
import { openBrowser, signIn } from './dashboard/browser.mjs';
import { recordFrames } from './dashboard/measures.mjs';
import { startChild } from './support/child.mjs';
import { startService, withDataDir } from './support/service.mjs';
import { median, percentile } from './support/stats.mjs';

const RECIPIENTS = 10_000;
const IDLE_MS = 15_000;
const LIMIT_MS = 180_000;
const POLL_MS = 250;
const SLOW_MS = 50;
const REQUIRED = 0.95;
const FEWEST_STAGES = 3;
const TEXT = 'Our shop is closed next Monday. Orders until Sunday evening are sent on Tuesday.';

/** The frames of a broadcast's page in Chromium, before it starts and while it sends to 10,000 recipients. */
export function broadcastPage({ rows = RECIPIENTS } = {}) {
  return withDataDir(async (dataDir) => {
    const service = await startService(dataDir);
    const simulator = await startChild('simulator', 'telegram', 'sendMessage');
    const browser = await openBrowser();
    try {
      await connect(service, simulator.info.account);
      const addresses = await simulator.ask({ question: 'addresses', count: rows });
      const { id } = await service.call('POST', '/openapi/broadcasts', {
        name: 'Opening hours',
        text: TEXT,
        draft: true,
        audience: { recipients: addresses.map((address) => ({ platform: 'telegram', address })) },
      });
      const page = await signIn(browser, service.url);
      await page.goto(`${service.url}/dashboard/broadcasts/${id}`);
      await page.getByText('Draft', { exact: true }).waitFor();
      await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
      const idle = await recordFrames(page, () => sleep(IDLE_MS));
      const busy = await recordFrames(page, () => send(service, simulator, page, { id, rows }));
      const stages = await page.evaluate(() => globalThis.stages.size);
      if (stages < FEWEST_STAGES) throw new Error(`The page showed only ${stages} counts.`);
      return [line(rows, { idle: summary(idle), busy: summary(busy), stages })];
    } finally {
      await browser.close();
      await service.stop();
      await simulator.stop();
    }
  });
}

/** Resolves when the page shows that all messages are sent. Its `stages` collect the counts that it showed. */
async function send(service, simulator, page, { id, rows }) {
  await page.evaluate(watchStages);
  const requestedAt = Date.now();
  await service.call('POST', `/openapi/broadcasts/${id}/start`);
  let sends;
  // Polls the platform, because requests to the service would slow it down.
  do {
    await sleep(POLL_MS);
    sends = await simulator.ask({ question: 'sends' });
  } while (sends.count < rows && Date.now() - requestedAt < LIMIT_MS);
  await page.getByText('Completed', { exact: true }).waitFor({ timeout: LIMIT_MS });
  const done = `${rows.toLocaleString('en')} of ${rows.toLocaleString('en')}`;
  await page.getByText(done, { exact: true }).waitFor();
}

/** Runs in the page. */
function watchStages() {
  globalThis.stages = new Set();
  new MutationObserver(() => {
    const progress = document.querySelector('[role="img"][aria-label]');
    if (progress !== null) globalThis.stages.add(progress.getAttribute('aria-label'));
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}

async function connect(service, { credentials, settings }) {
  const { id } = await service.call('POST', '/openapi/platforms/telegram/connections', {
    name: 'Bench',
    credentials,
    settings: { ...settings, rate_per_second: 0 },
  });
  const connection = () => service.call('GET', `/openapi/platforms/connections/${id}`);
  while ((await connection()).status !== 'connected') await sleep(POLL_MS);
}

function summary(frames) {
  const sum = frames.reduce((total, ms) => total + ms, 0);
  return {
    frames: frames.length,
    meanMs: sum / frames.length,
    medianMs: median(frames),
    p95Ms: percentile(frames, 0.95),
    slow: frames.filter((ms) => ms > SLOW_MS).length,
    longestMs: Math.max(...frames),
  };
}

function line(rows, { idle, busy, stages }) {
  const share = idle.meanMs / busy.meanMs;
  const what = `The page of a broadcast while it sends to ${rows} on Telegram, until it shows the end`;
  return {
    what: `${what}: frames a second, against the same page before the start`,
    ours: `${describe(busy)}; it showed ${stages} counts`,
    limit: describe(idle),
    figure: share.toFixed(2),
    required: `≥ ${REQUIRED}`,
    met: share >= REQUIRED,
  };
}

const describe = ({ frames, meanMs, medianMs, p95Ms, slow, longestMs }) =>
  `${(1_000 / meanMs).toFixed(1)}/s over ${frames} frames: median ${medianMs.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, ${slow} over ${SLOW_MS} ms, the longest ${Math.round(longestMs)} ms`;
