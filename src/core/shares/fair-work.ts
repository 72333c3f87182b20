import { setMaxListeners } from 'node:events';
import { FairShares, type FairSharesOptions } from './fair-shares.js';

/**
 * Runs the work of jobs in fair shares. A job does not wait for its work, so that many jobs of one key do not delay the jobs of
 * another. Waiting work can be lost without harm, because rows define what is due.
 */
export class FairWork {
  readonly #shares: FairShares;
  readonly #asked = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #isOver = false;

  constructor(
    options: FairSharesOptions,
    private readonly onFailure: (id: string, error: unknown) => void,
  ) {
    this.#shares = new FairShares(options);
    // All work in progress listens to it.
    setMaxListeners(0, this.#stop.signal);
  }

  /** Runs the work once its key has a place. A repeated id has no effect while its work waits or runs. */
  ask(key: string, id: string, work: (stopping: AbortSignal) => Promise<void>): void {
    if (this.#isOver || this.#asked.has(id)) return;
    this.#asked.add(id);
    const { signal } = this.#stop;
    const run = this.#shares
      .within(key, () => (this.#isOver ? Promise.resolve() : work(signal)))
      .catch((error: unknown) => this.onFailure(id, error))
      .then(() => {
        this.#asked.delete(id);
        this.#running.delete(run);
      });
    this.#running.add(run);
  }

  /** Accepts no more work, and aborts work in progress after `graceMs`. Resolves when all work has ended. */
  async stop(graceMs: number): Promise<void> {
    this.#isOver = true;
    this.#shares.dismiss();
    const timer = setTimeout(() => this.#stop.abort(), graceMs);
    await Promise.all(this.#running);
    clearTimeout(timer);
  }
}
