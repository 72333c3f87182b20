import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export { freePort } from '../../faults/rig/ports.mjs';

/** Everything that was started, to be ended together. */
const running = new Set();

/** Runs a command to its end; resolves with what it printed. */
export async function run(command, args, { cwd, env = process.env } = {}) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  const complained = [];
  child.stdout.on('data', (chunk) => printed.push(chunk));
  child.stderr.on('data', (chunk) => complained.push(chunk));
  const code = await ended(child);
  const output = Buffer.concat(printed).toString();
  if (code === 0) return output;
  const said = `${output}\n${Buffer.concat(complained)}`;
  throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${said}`);
}

/** Starts what stays or prints, as another user if one is given; `last` are the latest lines it printed. */
export function start(command, args, { cwd, env = process.env, uid, gid, onLine = () => undefined } = {}) {
  // A group of its own, so that what the command starts ends with it.
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
  // Such as a command that is not installed.
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

/** Ends everything that was started, the latest first. */
export async function stopAll() {
  for (const { child, exited } of [...running].reverse()) {
    signal(child, 'SIGTERM');
    const timer = setTimeout(() => signal(child, 'SIGKILL'), 60_000);
    await exited.catch(() => undefined);
    clearTimeout(timer);
  }
  running.clear();
}

/** Asks a command, and everything it has started, to end. */
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

/** What the servers said last, for the analysis of a failure. */
export function lastWords() {
  return [...running].map(({ name, last }) => `--- ${name}\n${last.join('\n')}`).join('\n');
}

/** Asks until the answer is not undefined or false. */
export async function until(what, ask, limitMs = 20_000) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`Not within ${limitMs / 1000} s: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
