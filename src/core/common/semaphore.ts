/** More callers wait than the semaphore allows. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
  constructor(readonly limit: number) {
    super(`More than ${limit} calls are waiting.`);
  }
}

export interface SemaphoreOptions {
  readonly atOnce: number;
  /** Maximum number of callers that may wait. */
  readonly maxWaiting: number;
}

/** Limits how many operations run at once. Further callers wait in order of arrival. */
export class Semaphore {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly options: SemaphoreOptions) {}

  /** Raises TooManyWaiting. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    const { atOnce, maxWaiting } = this.options;
    if (this.#running < atOnce) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.size >= maxWaiting) throw new TooManyWaiting(maxWaiting);
    // A finished caller passes its slot on to this one.
    await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
