/** One window of a rate limit. */
interface Window {
  used: number;
  readonly endsAt: number;
}

export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAfterMs: number;
}

/** Counts requests in fixed windows that open with the first request. */
export class Limit {
  readonly #windows = new Map<string, Window>();
  readonly #maxRequests: number;
  readonly #windowMs: number;

  constructor(maxRequests: number, windowMs: number) {
    this.#maxRequests = maxRequests;
    this.#windowMs = windowMs;
  }

  take(key: string): Allowance {
    const now = Date.now();
    let window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      window = { used: 0, endsAt: now + this.#windowMs };
      this.#windows.set(key, window);
    }
    window.used += 1;
    return {
      allowed: window.used <= this.#maxRequests,
      limit: this.#maxRequests,
      remaining: Math.max(0, this.#maxRequests - window.used),
      resetAfterMs: window.endsAt - now,
    };
  }
}
