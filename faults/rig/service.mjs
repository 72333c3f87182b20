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
const RESTART_MS = 250;

/** A process of the service, which is restarted whenever it ends, as by a service manager. */
export class ServiceProcess {
  /** The program to start. */
  program = PROGRAM;
  /** Number of kills. */
  kills = 0;
  /** Number of starts until it served. */
  starts = 0;
  /** Number of warnings and errors, by name. */
  troubles = {};
  /** The attempts of each delivery: when it called, and when it recorded the response. Collected if a fault sets a map. */
  attempts;
  #child;
  #ready = false;
  #shouldRun = false;
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

  /** Resolves when it serves. */
  async start() {
    this.#shouldRun = true;
    this.#launch();
    await this.ready(this.starts);
  }

  /** Resolves when it serves after more than `starts` starts. A kill may not have taken effect yet. */
  async ready(starts = this.starts - 1) {
    const serves = () => this.#ready && this.starts > starts;
    if ((await until(serves, START_LIMIT_MS, 10)) === undefined) {
      throw new Error(`The process ${this.name} did not start. See ${this.#log.path}.`);
    }
  }

  /** Sends SIGKILL. The process is restarted unless `stayDown` is set. */
  kill({ stayDown = false } = {}) {
    if (this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    if (stayDown) this.#shouldRun = false;
    this.kills += 1;
    this.#ready = false;
    this.#child.kill('SIGKILL');
  }

  /** Sends SIGTERM. Resolves with the exit code and the duration. */
  async stop() {
    this.#shouldRun = false;
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
    createInterface({ input: child.stdout }).on('line', (line) => this.#readLine(line));
    child.stderr.on('data', (text) => this.#log.write(text));
    child.once('exit', () => void this.#restart());
  }

  async #restart() {
    this.#ready = false;
    if (!this.#shouldRun) return;
    await sleep(RESTART_MS);
    if (this.#shouldRun) this.#launch();
  }

  #readLine(line) {
    if (!this.#log.writableEnded) this.#log.write(`${line}\n`);
    if (line.includes('"msg":"listening"')) {
      this.starts += 1;
      this.#ready = true;
    }
    if (this.attempts !== undefined && line.includes('"msg":"attempt.finished"'))
      this.#recordAttempt(JSON.parse(line));
    if (line.startsWith('{"level":"info"')) return;
    const name = /"msg":"([^"]+)"/.exec(line)?.[1];
    if (name !== undefined) this.troubles[name] = (this.troubles[name] ?? 0) + 1;
  }

  #recordAttempt({ delivery_id: id, time, duration_ms: durationMs, error }) {
    const recordedAt = Date.parse(time);
    const attempts = this.attempts.get(id) ?? [];
    attempts.push({ calledAt: recordedAt - durationMs, recordedAt, error });
    this.attempts.set(id, attempts);
  }
}
