/**
 * Measures the time since its creation by two clocks and reports the larger value. The monotonic clock stops while a machine sleeps,
 * and the system clock may be set. A lease must never seem younger than it is.
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
