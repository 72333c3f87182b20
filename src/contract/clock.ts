/**
 * The time of the database, which is the same in every process. It advances with the monotonic clock, so changes of the
 * system clock do not make work due earlier or later. Before the first reading of a database it is the system time.
 */
export class Clock {
  #offset = Date.now() - performance.now();

  /** Milliseconds since 1970. */
  now(): number {
    return Math.floor(performance.now() + this.#offset);
  }

  date(): Date {
    return new Date(this.now());
  }

  /**
   * Adjusts this clock to a reading of another clock that was taken between two readings of `performance.now()`. The
   * offset changes only as far as the uncertainty of the reading requires.
   */
  agree(serverMs: number, beganAt: number, endedAt: number): void {
    const [min, max] = [serverMs - endedAt, serverMs - beganAt];
    this.#offset = Math.min(Math.max(this.#offset, min), max);
  }
}

/** The clock of this process. */
export const clock = new Clock();
