/** More callers wait than the semaphore keeps. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
  constructor(readonly most: number) {
    super(`More than ${most} calls wait for their turn.`);
  }
}

export interface SemaphoreOptions {
  readonly atOnce: number;
  /** How many callers may wait beyond that. */
  readonly mostWaiting: number;
}

/** Bounds how much of something runs at once. The others wait, first come, first served. */
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
    const { atOnce, mostWaiting } = this.options;
    if (this.#running < atOnce) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.size >= mostWaiting) throw new TooManyWaiting(mostWaiting);
    // The one that leaves hands its place over.
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
