import { setTimeout as delay } from 'node:timers/promises';
import { clock } from '../../../src/contract/index.js';

export interface CallRate {
  readonly perMinute: number;
  /** Number of calls that may run without spacing after an idle time. */
  readonly burst: number;
}

/** Paces the calls of one method evenly after a burst. Waiting calls run in order. An aborted call uses no budget. */
export class CallBudget {
  readonly #spacingMs: number;
  readonly #burst: number;
  #fullAt = 0;
  #last: Promise<void> = Promise.resolve();

  constructor({ perMinute, burst }: CallRate) {
    this.#spacingMs = 60_000 / perMinute;
    this.#burst = burst;
  }

  /** Resolves when the next call may be made. Throws the signal's reason. */
  awaitPermit(signal: AbortSignal): Promise<void> {
    const permit = this.#last.then(() => this.#next(signal));
    this.#last = permit.catch(() => undefined);
    return permit;
  }

  async #next(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const waitMs = this.#fullAt - clock.now() - (this.#burst - 1) * this.#spacingMs;
    if (waitMs > 0) await delay(waitMs, undefined, { signal });
    this.#fullAt = Math.max(this.#fullAt, clock.now()) + this.#spacingMs;
  }
}
