import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { owned } from './owned.mjs';
import { sleep, until } from './waiting.mjs';

/** The program of this release. */
export const PROGRAM = fileURLToPath(new URL('../../bin/trunkline.mjs', import.meta.url));
const START_LIMIT_MS = 120_000;
const AGAIN_MS = 250;

/** One process of the service, kept running as a service manager does: whatever it dies of, it is started again. */
export class ServiceProcess {
  /** What is started. */
  program = PROGRAM;
  /** How often it was killed. */
  kills = 0;
  /** How often it came to serve. */
  starts = 0;
  /** Warnings and errors by their names. */
  troubles = {};
  /** The attempts of each delivery, where somebody wants to know: when the process called, and when it had recorded the answer. */
  attempts;
  #child;
  #ready = false;
  #wanted = false;
  #log;

  constructor({ name, env, folder }) {
    this.name = name;
    this.env = env;
    this.url = env.PORT === '0' ? undefined : `http://127.0.0.1:${env.PORT}`;
    this.#log = createWriteStream(join(folder, `${name}.log`));
  }

  get pid() {
    return this.#child?.pid;
  }

  /** Resolves once it serves. */
  async start() {
    this.#wanted = true;
    this.#launch();
    await this.ready(this.starts);
  }

  /** Resolves once it serves, for the time after `starts`: who was killed may not know it yet. */
  async ready(starts = this.starts - 1) {
    const serves = () => this.#ready && this.starts > starts;
    if ((await until(serves, START_LIMIT_MS, 10)) === undefined) {
      throw new Error(`The process ${this.name} did not start; see ${this.#log.path}.`);
    }
  }

  /** kill -9, now. The guardian starts it again, unless it shall stay down. */
  kill({ stayDown = false } = {}) {
    if (this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    if (stayDown) this.#wanted = false;
    this.kills += 1;
    this.#ready = false;
    this.#child.kill('SIGKILL');
  }

  /** SIGTERM; resolves with the exit code and how long it took. */
  async stop() {
    this.#wanted = false;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return undefined;
    const startedAt = performance.now();
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
    const [code] = await gone;
    clearTimeout(timer);
    return { code, ms: performance.now() - startedAt };
  }

  async close() {
    await this.stop();
    this.#log.end();
  }

  #launch() {
    const child = owned(
      spawn(process.execPath, [this.program, 'start'], { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.#hear(line));
    child.stderr.on('data', (text) => this.#log.write(text));
    child.once('exit', () => void this.#again());
  }

  async #again() {
    this.#ready = false;
    if (!this.#wanted) return;
    await sleep(AGAIN_MS);
    if (this.#wanted) this.#launch();
  }

  #hear(line) {
    if (!this.#log.writableEnded) this.#log.write(`${line}\n`);
    if (line.includes('"msg":"listening"')) {
      this.starts += 1;
      this.#ready = true;
    }
    if (this.attempts !== undefined && line.includes('"msg":"attempt.finished"'))
      this.#note(JSON.parse(line));
    if (line.startsWith('{"level":"info"')) return;
    const name = /"msg":"([^"]+)"/.exec(line)?.[1];
    if (name !== undefined) this.troubles[name] = (this.troubles[name] ?? 0) + 1;
  }

  #note({ delivery_id: id, time, duration_ms: durationMs, error }) {
    const recordedAt = Date.parse(time);
    const attempts = this.attempts.get(id) ?? [];
    attempts.push({ calledAt: recordedAt - durationMs, recordedAt, error });
    this.attempts.set(id, attempts);
  }
}
