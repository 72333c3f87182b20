import { FairShares, type FairSharesOptions } from './fair-shares.js';

/**
 * Work that reminders ask for, in fair shares. A reminder does not wait for its work: those of one key, however many, keep no
 * reminder of another from being seen. Nothing is lost with what waits here, since rows say what is due.
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
  }

  /** Does the work once its key has a place. The same id again, while it waits or runs, has no further effect. */
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

  /** Takes nothing more, breaks off what still runs after `graceMs`, and resolves when that has ended. */
  async stop(graceMs: number): Promise<void> {
    this.#isOver = true;
    this.#shares.dismiss();
    const timer = setTimeout(() => this.#stop.abort(), graceMs);
    await Promise.all(this.#running);
    clearTimeout(timer);
  }
}
