/**
 * The time as the database tells it, in every process the same. It goes on by a clock that nobody sets, so that whatever
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
   * What another clock told between two readings of `performance.now()`: this one agrees where it can't be told apart,
   * and else moves no further than it has to.
   */
  agree(told: number, beganAt: number, endedAt: number): void {
    const [least, most] = [told - endedAt, told - beganAt];
    this.#offset = Math.min(Math.max(this.#offset, least), most);
  }
}

/** The clock of this process. */
export const clock = new Clock();
