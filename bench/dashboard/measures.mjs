import { setTimeout as sleep } from 'node:timers/promises';

const ROW = 'a[href*="/dashboard/inbox/"]';
/** Wheel steps of a person who scans old messages for half a minute. */
const STEPS = 400;
const STEP_PX = 300;
const STEP_MS = 50;

/** Compressed bytes of the scripts, and the time from navigation until the list reacts to input. */
export async function firstLoad(page, address) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const scripts = new Set();
  let scriptBytes = 0;
  session.on(
    'Network.responseReceived',
    ({ requestId, type }) => type === 'Script' && scripts.add(requestId),
  );
  // Compressed bodies, without response headers.
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scriptBytes += encodedDataLength;
  });
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForSelector(ROW);
  // Two frames later the row is painted and its handlers are attached.
  const interactiveMs = await page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))),
      ),
  );
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  return { scriptBytes, interactiveMs };
}

/** Milliseconds between hover and click. People wait longer. */
const REST_MS = 100;

/**
 * The time from the click on a conversation's row to the frame that shows its newest message, in milliseconds. The page has not
 * shown this conversation before. With `after`, it has shown another one.
 */
export async function opening(page, url, { number, newest }, after = false) {
  await page.goto(`${url}/dashboard/inbox`);
  const row = page.locator(`a[href$="/inbox/${number}"]`).first();
  await row.waitFor();
  if (after) {
    await page
      .locator(ROW)
      .and(page.locator(`:not([href$="/inbox/${number}"])`))
      .first()
      .click();
    await page.locator('[role="log"] article').first().waitFor();
  }
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  await row.hover();
  await sleep(REST_MS);
  return page.evaluate(untilShown, [`a[href$="/inbox/${number}"]`, newest]);
}

/** Runs in the page. */
function untilShown([selector, text]) {
  return new Promise((done) => {
    const startedAt = performance.now();
    document.querySelector(selector).click();
    const look = () => {
      const log = document.querySelector('[role="log"]');
      const shown = [...(log?.querySelectorAll('article') ?? [])].find((each) =>
        each.textContent.includes(text),
      );
      const box = shown?.getBoundingClientRect();
      if (box !== undefined && box.bottom <= log.getBoundingClientRect().bottom + 1 && box.height > 0)
        requestAnimationFrame(() => done(performance.now() - startedAt));
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** Scrolls to older messages with the wheel and counts the tasks that block the page for longer than `maxMs`. */
export async function scrolling(page, url, { number, newest }, maxMs) {
  await page.goto(`${url}/dashboard/inbox/${number}`);
  await page.getByText(newest, { exact: false }).first().waitFor();
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  await watchTasks(page);
  const box = await page.locator('[role="log"]').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let n = 0; n < STEPS; n += 1) {
    await page.mouse.wheel(0, -STEP_PX);
    await sleep(STEP_MS);
  }
  const oldest = await page.locator('[role="log"] article').first().innerText();
  const shown = Number(/no\. (\d+)/.exec(newest)[1]) - Number(/no\. (\d+)/.exec(oldest)[1]);
  const durations = (await page.evaluate(() => globalThis.tasks)).filter((ms) => ms > maxMs);
  return { tasks: durations.length, longest: Math.max(0, ...durations), shown };
}

const watchTasks = (page) =>
  page.evaluate(() => {
    globalThis.tasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.tasks.push(duration);
    }).observe({ entryTypes: ['longtask'] });
  });

/** The frames of the inbox while `work` runs. */
export async function frames(page, address, work, maxMs) {
  await page.goto(address);
  await page.waitForSelector(ROW);
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  const all = await recordFrames(page, work);
  const slow = all.filter((ms) => ms > maxMs);
  return { all: all.length, slow: slow.length, longest: Math.max(0, ...all) };
}

/** The duration of each frame of the open page while `work` runs, in milliseconds. */
export async function recordFrames(page, work) {
  await page.evaluate(() => {
    const frames = [];
    globalThis.frames = frames;
    let last;
    const next = (now) => {
      // The next recording has its own list.
      if (globalThis.frames !== frames) return;
      if (last !== undefined) frames.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await work();
  return page.evaluate(() => globalThis.frames);
}
