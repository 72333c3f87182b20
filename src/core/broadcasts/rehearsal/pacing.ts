import { spacingOf } from '../../rates/account-rate-limiter.js';
import type { AccountRate } from '../../rates/rates.js';

/** The permits of one account on a simulated clock, as granted by `AccountRateLimiter` and `reserve_call_slots`. */
export class AccountPermits {
  readonly #spacingMs: number;
  readonly #secondMs: number;
  readonly #leewayMs: number;
  /** Ring buffer with the times of the latest permits. It holds as many as one second allows. */
  readonly #taken: Float64Array;
  #count = 0;
  #next = 0;

  /** `from`: the earliest time of a permit. */
  constructor({ perSecond, burst }: AccountRate, from = 0) {
    const { secondMs, spacingMs } = spacingOf(perSecond);
    this.#spacingMs = spacingMs;
    this.#secondMs = secondMs;
    this.#leewayMs = burst * spacingMs;
    this.#taken = new Float64Array(Math.max(1, Math.floor(perSecond)) + burst);
    this.#next = from;
  }

  /** The time of the permit for a call that is requested at `now`. */
  take(now: number, cost: number): number {
    const permit = Math.max(this.#next, now - this.#leewayMs);
    this.#next = permit + cost * this.#spacingMs;
    const place = this.#count % this.#taken.length;
    const isFull = this.#count >= this.#taken.length;
    const at = Math.max(now, permit, isFull ? (this.#taken[place] ?? 0) + this.#secondMs : 0);
    this.#taken[place] = at;
    this.#count += 1;
    return at;
  }
}

/** A rate bucket of a chat or a method on a simulated clock, as implemented by `acquire_rate_limits`. */
export class BucketCapacity {
  #taken: number[] = [];

  constructor(
    private readonly count: number,
    private readonly perMs: number,
  ) {}

  /** The earliest time at which the bucket has capacity for a call of this cost. */
  at(now: number, cost: number): number {
    const amount = Math.min(cost, this.count);
    const { length } = this.#taken;
    if (length <= this.count - amount) return now;
    return Math.max(now, (this.#taken[length - this.count + amount - 1] ?? now) + Math.ceil(this.perMs));
  }

  take(at: number, cost: number): void {
    const amount = Math.min(cost, this.count);
    for (let n = 0; n < amount; n += 1) this.#taken.push(at);
    if (this.#taken.length > this.count) this.#taken = this.#taken.slice(-this.count);
  }
}
