import { spawnSync } from 'node:child_process';
import { chromium } from 'playwright-core';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];
const VIEWPORT = { width: 1_440, height: 900 };

/** The Chromium that is installed on this machine. */
export function openBrowser() {
  const executablePath = PROGRAMS.map((name) =>
    spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim(),
  ).find((path) => path !== '');
  if (executablePath === undefined) throw new Error(`This needs one of ${PROGRAMS.join(', ')} in the PATH.`);
  return chromium.launch({ executablePath, args: ['--no-sandbox'], headless: true });
}

/** A page in a new browser context that has only a session. */
export async function signIn(browser, url) {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en' });
  const answer = await context.request.post(`${url}/dashboard/api/session`, {
    data: { email: 'bench@example.com', password: 'only for benchmarks' },
  });
  if (!answer.ok()) throw new Error(`The sign-in answered ${answer.status()}: ${await answer.text()}`);
  return context.newPage();
}
