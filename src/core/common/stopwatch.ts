/**
 * A moment to measure from. The monotonic clock stands still while a machine sleeps, and the other one may be set: what
 * has passed is the most that either says, so that what others may have by now is never taken for ours.
 */
export class Stopwatch {
  readonly #steady: number;
  readonly #wall: number;

  /** Now, or so many milliseconds ago. */
  constructor(agoMs = 0) {
    this.#steady = performance.now() - agoMs;
    this.#wall = Date.now() - agoMs;
  }

  /** Milliseconds since then. */
  get passedMs(): number {
    return Math.max(performance.now() - this.#steady, Date.now() - this.#wall);
  }
}
