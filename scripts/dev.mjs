import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { hasDashboard, serveDashboard } from './dashboard.mjs';

/**
 * `npm run dev`: runs the service with its simulators and restarts it when a file of src/ or adapters/ changes. Arguments
 * replace those of `trunkline`. A Vite server serves the dashboard and shows changes at once. A change that cannot be built is
 * reported, and the service keeps running.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENTRY = join(ROOT, 'bin/trunkline.mjs');
const given = process.argv.slice(2);
const args = given.length > 0 ? given : ['start', '--simulators'];

/** Milliseconds to wait for further changes, because an editor writes several files at once. */
const SETTLE_MS = 100;
/** Milliseconds between SIGTERM and SIGKILL. */
const CLOSE_TIMEOUT_MS = 10_000;

let service;
let closing = false;

function start() {
  const child = spawn(process.execPath, [ENTRY, ...args], { cwd: ROOT, stdio: 'inherit' });
  child.once('exit', (code, signal) => {
    if (closing) process.exit(code ?? 0);
    if (child === service) say(`the service ended (${signal ?? `exit code ${code}`}); waiting for a change`);
  });
  service = child;
}

async function stop() {
  const child = service;
  service = undefined;
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

async function rebuild() {
  try {
    if (!(await build())) return;
  } catch (error) {
    say(`${error.message}\n     The running service was not restarted.`);
    return;
  }
  say('restarting');
  await stop();
  if (!closing) start();
}

function say(text) {
  console.error(`dev: ${text}`);
}

let timer;
let working = Promise.resolve();
function changed() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    working = working.then(rebuild);
  }, SETTLE_MS);
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    closing = true;
    if (service === undefined || service.exitCode !== null || service.signalCode !== null) process.exit(0);
    service.kill(signal);
  });
}
for (const folder of ['src', 'adapters']) watch(join(ROOT, folder), { recursive: true }, changed);
start();
if (hasDashboard()) {
  const address = await serveDashboard(`http://localhost:${process.env.PORT ?? 8080}`);
  say(`the dashboard with live changes: ${address}`);
}
