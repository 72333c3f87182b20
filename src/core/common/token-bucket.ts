/** A rate limit of `perSecond` tokens with bursts of up to `burst` tokens. */
export class TokenBucket {
  #tokens: number;
  #at = performance.now();

  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
  ) {
    this.#tokens = burst;
  }

  /** Takes a token if there is one. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes a token, in advance if necessary. Returns the time to wait before it may be used. */
  reserveMs(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.perSecond) * 1_000;
  }

  #refill(): void {
    const now = performance.now();
    this.#tokens = Math.min(this.burst, this.#tokens + ((now - this.#at) / 1_000) * this.perSecond);
    this.#at = now;
  }
}
