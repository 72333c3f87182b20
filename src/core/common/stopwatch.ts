/**
 * Measures the time since its creation with two clocks and reports the larger value, because a lease must never seem
 * younger than it is. The monotonic clock stops while a machine sleeps, and the system clock may be changed.
 */
export class Stopwatch {
  readonly #steady: number;
  readonly #wall: number;

  /** Starts now, or `agoMs` milliseconds ago. */
  constructor(agoMs = 0) {
    this.#steady = performance.now() - agoMs;
    this.#wall = Date.now() - agoMs;
  }

  /** Milliseconds since the start. */
  get passedMs(): number {
    return Math.max(performance.now() - this.#steady, Date.now() - this.#wall);
  }
}
