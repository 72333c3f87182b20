import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Time limit of a stop. Connections that the simulator does not close can prevent it from ending. */
const STOP_LIMIT_MS = 30_000;
const PROGRAM = fileURLToPath(new URL('../processes/platform.mjs', import.meta.url));

/** A simulated platform in its own process, so that its records survive every fault of the service. */
export class Platform {
  #child;
  #waiting = new Map();
  #requests = 0;
  #notes = [];
  /** Id of the service's connection to it. */
  connectionId;

  static async start(name, platform, options = {}) {
    const started = new Platform();
    started.name = name;
    started.platform = platform;
    started.#child = fork(PROGRAM, [platform, JSON.stringify(options)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    started.#child.on('message', (message) => started.#receive(message));
    started.#child.once('exit', (code) => started.#ended(code));
    await started.ask('account');
    return started;
  }

  /** Calls one of the operations in `processes/platform.mjs`. */
  ask(operation, ...args) {
    this.#requests += 1;
    const id = this.#requests;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, operation, args });
    });
  }

  /** Resolves when the platform reports its next fault. */
  nextFault() {
    return new Promise((resolve) => this.#notes.push(resolve));
  }

  /** A frozen platform neither responds nor refuses connections, as in a network partition. `ask` waits as well. */
  freeze(frozen) {
    this.#child.kill(frozen ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Ends the process. Kills it after a time limit. Rejects unless it ended by itself and without an error. */
  async stop() {
    const child = this.#child;
    if (child.exitCode === null && child.signalCode === null) await this.#end(child);
    if (child.exitCode === 0) return;
    const how =
      child.signalCode === null ? `exited with code ${child.exitCode}` : `was ended by ${child.signalCode}`;
    throw new Error(`The simulated ${this.name} ${how}.`);
  }

  async #end(child) {
    const gone = once(child, 'exit');
    // A frozen process cannot end.
    child.kill('SIGCONT');
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await gone;
    clearTimeout(timer);
  }

  #receive({ id, answer, error, note }) {
    if (note !== undefined) {
      for (const resolve of this.#notes.splice(0)) resolve(note);
      return;
    }
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) resolve(answer);
    else reject(new Error(`${this.name}: ${error}`));
  }

  #ended(code) {
    for (const { reject } of this.#waiting.values())
      reject(new Error(`The simulated ${this.name} exited with code ${code}.`));
    this.#waiting.clear();
  }
}
