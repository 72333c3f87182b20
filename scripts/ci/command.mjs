import { spawn } from 'node:child_process';

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 30_000;

const running = new Set();
for (const name of ['SIGINT', 'SIGTERM'])
  process.once(name, () => {
    for (const child of running) signal(child, 'SIGKILL');
    process.exit(1);
  });

/**
 * Runs a command and passes its output to `print`. Resolves with its exit code and its output. The code is `late` if it took longer
 * than `limit` seconds. The limit only ends commands that hang: it is two to three times the duration on a slow machine.
 */
export async function runCommand([program, ...args], { limit, print, cwd, env }) {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that signals reach its child processes as well.
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
