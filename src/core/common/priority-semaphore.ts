interface Waiter {
  readonly priority: number;
  readonly serve: () => void;
}

/** A semaphore that serves the lowest priority value first, and waiters of equal priority in their order. */
export class PrioritySemaphore {
  #free: number;
  #waiting: Waiter[] = [];

  constructor(private readonly size: number) {
    this.#free = size;
  }

  /** Whether a slot is taken. */
  get areUsed(): boolean {
    return this.#free < this.size;
  }

  /** The number of free slots. */
  get free(): number {
    return this.#free;
  }

  /** Resolves with true when it got a slot, or with false after `maxWaitMs`. */
  acquire(maxWaitMs: number, priority = 0): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== waiter);
        resolve(false);
      }, maxWaitMs);
      const serve = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const waiter = { priority, serve };
      // Search from the end: most waiters have equal priority and are appended.
      this.#waiting.splice(this.#waiting.findLastIndex((other) => other.priority <= priority) + 1, 0, waiter);
    });
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.serve();
  }
}
