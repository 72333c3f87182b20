import { spawn } from 'node:child_process';

/** After SIGTERM, a command has so long until SIGKILL. */
const GRACE_MS = 30_000;

const running = new Set();
for (const name of ['SIGINT', 'SIGTERM'])
  process.once(name, () => {
    for (const child of running) signal(child, 'SIGKILL');
    process.exit(1);
  });

/**
 * Runs a command and hands each piece of its output to `print`. Resolves with its exit code and its output; the code is `late` when
 * it took longer than `limit` seconds. The limit ends what hangs: it is two to three times what a slow machine needs.
 */
export async function runCommand([program, ...args], { limit, print, cwd, env }) {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that what it started ends with it.
    detached: true,
  });
  running.add(child);
  let output = '';
  const keep = (piece) => {
    output += piece;
    print(piece);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  let late = false;
  const timers = [
    setTimeout(() => {
      late = true;
      signal(child, 'SIGTERM');
    }, limit * 1000),
    setTimeout(() => signal(child, 'SIGKILL'), limit * 1000 + GRACE_MS),
  ];
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      keep(`${error.message}\n`);
      resolve(127);
    });
    child.once('close', resolve);
  });
  running.delete(child);
  for (const timer of timers) clearTimeout(timer);
  return { code: late ? 'late' : code, output };
}

function signal(child, name) {
  try {
    process.kill(-child.pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
