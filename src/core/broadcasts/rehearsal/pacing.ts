import { spacingOf } from '../../rates/account-rate-limiter.js';
import type { AccountRate } from '../../rates/rates.js';

/** The turns of one account on a simulated clock, as `AccountRateLimiter` and `reserve_turns` hand them out. */
export class Turns {
  readonly #spacingMs: number;
  readonly #secondMs: number;
  readonly #leewayMs: number;
  /** Times of the last turns, in a ring: as many as a second may hold. */
  readonly #taken: Float64Array;
  #count = 0;
  #next = 0;

  /** `from`: no turn comes before it. */
  constructor({ perSecond, burst }: AccountRate, from = 0) {
    const { secondMs, spacingMs } = spacingOf(perSecond);
    this.#spacingMs = spacingMs;
    this.#secondMs = secondMs;
    this.#leewayMs = burst * spacingMs;
    this.#taken = new Float64Array(Math.max(1, Math.floor(perSecond)) + burst);
    this.#next = from;
  }

  /** The time of the next turn for a call that is asked for at `now`. */
  take(now: number, cost: number): number {
    const turn = Math.max(this.#next, now - this.#leewayMs);
    this.#next = turn + cost * this.#spacingMs;
    const place = this.#count % this.#taken.length;
    const isFull = this.#count >= this.#taken.length;
    const at = Math.max(now, turn, isFull ? (this.#taken[place] ?? 0) + this.#secondMs : 0);
    this.#taken[place] = at;
    this.#count += 1;
    return at;
  }
}

/** A bucket of a chat or a method on a simulated clock, as `acquire_rate_limits` keeps it. */
export class Room {
  #taken: number[] = [];

  constructor(
    private readonly count: number,
    private readonly perMs: number,
  ) {}

  /** When there is room for a call that costs so much. */
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
