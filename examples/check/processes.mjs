import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export { freePort } from '../../faults/rig/ports.mjs';

/** All started processes, for `stopAll`. */
const running = new Set();

/** Runs a command until it exits. Resolves with its standard output. */
export async function run(command, args, { cwd, env = process.env } = {}) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  const errors = [];
  child.stdout.on('data', (chunk) => printed.push(chunk));
  child.stderr.on('data', (chunk) => errors.push(chunk));
  const code = await ended(child);
  const output = Buffer.concat(printed).toString();
  if (code === 0) return output;
  const all = `${output}\n${Buffer.concat(errors)}`;
  throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${all}`);
}

/** Starts a long-running command, as another user if `uid` is given. `last` has the latest lines of its output. */
export function start(command, args, { cwd, env = process.env, uid, gid, onLine = () => undefined } = {}) {
  // Its own process group, so that signals reach its child processes as well.
  const child = spawn(command, args, {
    ...{ cwd, env, uid, gid },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const last = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      last.push(line.slice(0, 400));
      if (last.length > 15) last.shift();
      onLine(line);
    });
  }
  const exited = new Promise((resolve, reject) => {
    child.on('error', reject).on('exit', (code, name) => resolve(code ?? name));
  });
  // For example, the command is not installed.
  exited.catch((error) => last.push(error.message));
  const server = { child, last, name: command, exited };
  running.add(server);
  return server;
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
}

/** Stops all started processes, the latest first. */
export async function stopAll() {
  for (const { child, exited } of [...running].reverse()) {
    signal(child, 'SIGTERM');
    const timer = setTimeout(() => signal(child, 'SIGKILL'), 60_000);
    await exited.catch(() => undefined);
    clearTimeout(timer);
  }
  running.clear();
}

/** Sends SIGTERM to a command and its child processes. */
export function end({ child }) {
  signal(child, 'SIGTERM');
}

function signal({ pid }, name) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** The latest output of each process, to analyze a failure. */
export function lastWords() {
  return [...running].map(({ name, last }) => `--- ${name}\n${last.join('\n')}`).join('\n');
}

/** Calls `ask` until the result is neither undefined nor false. */
export async function until(what, ask, limitMs = 20_000) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`Timeout after ${limitMs / 1000} s: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
