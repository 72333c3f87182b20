import { spawnSync } from 'node:child_process';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

/** Names of Chromium on different systems. The first one found is used. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];
const SHELLS = ['chromium-headless-shell', ...PROGRAMS];

/** A shell is Chromium without windows. It needs half of the time, and lacks calls, notifications and file choosers. */
export type BrowserKind = 'shell' | 'whole';

const ARGUMENTS = [
  // Root has no sandbox. The tests open only local pages.
  '--no-sandbox',
  // Only this machine resolves, so that a page that needs another host fails.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  // Calls connect on machines without a network.
  '--allow-loopback-in-peer-connection',
  '--autoplay-policy=no-user-gesture-required',
  // SwiftShader would need a quarter of the time of the tests.
  '--disable-gpu-compositing',
  // Maps are drawn without a graphics card.
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

const pathOf = (names: readonly string[]) =>
  names
    .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim())
    .find((path) => path !== '');
const chromiumPath = pathOf(PROGRAMS);
const shellPath = pathOf(SHELLS);

/**
 * False, with a warning, if there is no Chromium in the path.
 *
 * In CI its absence is an error: a suite that silently never runs proves nothing.
 */
export function hasChromium(): boolean {
  if (chromiumPath !== undefined) return true;
  if (process.env.CI) throw new Error('Chromium is not installed, and CI must not skip its tests.');
  console.warn(`SKIPPED: the tests in a browser need one of ${PROGRAMS.join(', ')} in the PATH.`);
  return false;
}

export function startChromium(kind: BrowserKind = 'shell'): Promise<Browser> {
  const executablePath = String(kind === 'whole' ? chromiumPath : shellPath);
  return chromium.launch({ executablePath, args: ARGUMENTS, headless: true });
}

/** The separate browser context of one user, with the errors that occurred in it. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Requests to other hosts, errors of scripts and of the console, in their order. */
  readonly faults: string[];
  /** Expects a fault that matches, and removes it. */
  forgive(pattern: RegExp): void;
}

/** Opens a window that may access only `origins`. Its page runs without the service worker unless the options allow it. */
export async function visit(
  browser: Browser,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options });
  const faults: string[] = [];
  const isOwn = (url: string) =>
    ['data:', 'blob:'].some((scheme) => url.startsWith(scheme)) || origins.includes(new URL(url).origin);
  // A route would disable the browser's cache, and each request would wait for this process.
  context.on('request', (request) => {
    if (!isOwn(request.url())) faults.push(`asked ${request.url()}`);
  });
  context.on('weberror', (error) => faults.push(`script: ${error.error().stack ?? error.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  const page = await context.newPage();
  return {
    context,
    page,
    faults,
    forgive: (pattern) => {
      const index = faults.findIndex((fault) => pattern.test(fault));
      if (index < 0) throw new Error(`Nothing like ${pattern} among ${JSON.stringify(faults)}`);
      faults.splice(index, 1);
    },
  };
}
