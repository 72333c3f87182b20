interface Waiter {
  readonly priority: number;
  readonly serve: () => void;
}

/** A number of places that are taken and given back: the most urgent is served first, then who came first. */
export class PrioritySemaphore {
  #free: number;
  #waiting: Waiter[] = [];

  constructor(private readonly size: number) {
    this.#free = size;
  }

  /** Whether a place is taken. */
  get areUsed(): boolean {
    return this.#free < this.size;
  }

  /** Places that are free. */
  get free(): number {
    return this.#free;
  }

  /** Resolves with true once a place is taken, or with false after `patienceMs` without one. */
  acquire(patienceMs: number, priority = 0): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== waiter);
        resolve(false);
      }, patienceMs);
      const serve = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const waiter = { priority, serve };
      // Looked for from the end: most wait there, behind their like.
      this.#waiting.splice(this.#waiting.findLastIndex((other) => other.priority <= priority) + 1, 0, waiter);
    });
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.serve();
  }
}
