/**
 * The time of the database, the same in every process. It advances by the monotonic clock, so that whatever
 * befalls the clock of the machine, nothing is due earlier or later. Until a database was asked it starts from the machine's.
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
   * The time of another clock between two readings of `performance.now()`: this one agrees where they can't be distinguished,
   * and else moves no further than it has to.
   */
  agree(serverMs: number, beganAt: number, endedAt: number): void {
    const [least, most] = [serverMs - endedAt, serverMs - beganAt];
    this.#offset = Math.min(Math.max(this.#offset, least), most);
  }
}

/** The clock of this process. */
export const clock = new Clock();
