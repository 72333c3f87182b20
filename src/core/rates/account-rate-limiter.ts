/** How far ahead permits are reserved, so that not every permit needs a query. Writes of other processes wait at most this long. */
const AHEAD_MS = 250;
/** A permit may be used this much later than planned, so that delays of this process lose no permits. */
const LATENESS_MS = 250;
/** Wait before the next query after a failure. */
const AGAIN_MS = 500;
/** Used share of a slow platform's rate. The rest prevents refusals when two clocks differ a little. */
const SHARE = 0.97;
/**
 * Used share of a fast platform's rate, except for the writes at both ends of a second. These are a fifteenth of 30 writes, and
 * negligible for 1,000.
 */
const FAST_SHARE = 0.99;
const AT_THE_ENDS = 2;

/** The interval between the permits of an account, and the assumed length of a second. */
export function spacingOf(perSecond: number): { readonly secondMs: number; readonly spacingMs: number } {
  const share = Math.max(SHARE, FAST_SHARE * (1 - AT_THE_ENDS / perSecond));
  return { secondMs: 1000 / share, spacingMs: 1000 / share / perSecond };
}

/** Reserves the next permits of the account. Resolves with the milliseconds until the first of them. */
export type Reserve = (amount: number, spacingMs: number, leewayMs: number) => Promise<number>;

interface Waiter {
  readonly cost: number;
  readonly priority: number;
  readonly served: (granted: boolean) => void;
}

/**
 * The permits of one account in this process. Permits are reserved in groups, each for its own time, and granted at that time: by
 * priority, then in the order of the requests.
 */
export class AccountRateLimiter {
  readonly #spacingMs: number;
  readonly #leewayMs: number;
  /** The assumed length of a second. It is longer than a second, because calls may arrive closer together than they were sent. */
  readonly #secondMs: number;
  #waiting: Waiter[] = [];
  /** Times of the reserved permits on `clock`, earliest first. */
  #permits: number[] = [];
  /** Permits that a write takes in addition to its first. */
  #owed = 0;
  /** When the permits of the last second were taken, oldest first. Late permits must not exceed the rate. */
  #taken: number[] = [];
  #reserving = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly perSecond: number,
    private readonly burst: number,
    private readonly reserve: Reserve,
    /** A monotonic clock in milliseconds. */
    private readonly clock: () => number = () => performance.now(),
  ) {
    const { secondMs, spacingMs } = spacingOf(perSecond);
    this.#secondMs = secondMs;
    this.#spacingMs = spacingMs;
    this.#leewayMs = burst * this.#spacingMs;
  }

  /** Resolves with true at the time of the permit, or with false if there was none within `maxWaitMs`. */
  take(cost: number, priority: number, maxWaitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== waiter);
        resolve(false);
      }, maxWaitMs);
      const served = (granted: boolean) => {
        clearTimeout(timer);
        resolve(granted);
      };
      const waiter = { cost, priority, served };
      const place = this.#waiting.findIndex((other) => other.priority > priority);
      this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, waiter);
      this.#serve();
    });
  }

  /** Ends all waits without a permit, for example because the platform refused the account. */
  release(): void {
    this.#permits = [];
    this.#owed = 0;
    for (const { served } of this.#waiting.splice(0)) served(false);
  }

  #serve(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = this.clock();
    while (this.#waiting.length > 0) {
      const permit = this.#permits[0];
      if (permit === undefined || this.#dueAt(permit) > now) break;
      this.#permits.shift();
      if (permit < now - this.#leewayMs - LATENESS_MS) continue;
      if (this.#owed > 0) {
        this.#owed -= 1;
        continue;
      }
      const next = this.#waiting.shift();
      this.#owed = (next?.cost ?? 1) - 1;
      this.#taken.push(now);
      next?.served(true);
    }
    void this.#reserveMore();
    const permit = this.#permits[0];
    if (this.#waiting.length > 0 && permit !== undefined) {
      this.#timer = setTimeout(() => this.#serve(), Math.max(0, this.#dueAt(permit) - now));
    }
  }

  /** The time of a permit, or later if the last second is full. */
  #dueAt(permit: number): number {
    const maxPerSecond = Math.max(1, Math.floor(this.perSecond)) + this.burst;
    if (this.#taken.length > maxPerSecond) this.#taken = this.#taken.slice(-maxPerSecond);
    const oldest = this.#taken.at(-maxPerSecond);
    return oldest === undefined ? permit : Math.max(permit, oldest + this.#secondMs);
  }

  /** Reserves the permits that waiting writes need, up to `AHEAD_MS`. */
  async #reserveMore(): Promise<void> {
    const wanted = this.#waiting.reduce((sum, { cost }) => sum + cost, this.#owed) - this.#permits.length;
    const horizon = Math.max(1, Math.floor(AHEAD_MS / this.#spacingMs));
    const amount = Math.min(wanted, horizon);
    if (this.#reserving || amount <= 0 || this.#permits.length > horizon / 2) return;
    this.#reserving = true;
    const waitMs = await this.reserve(amount, this.#spacingMs, this.#leewayMs).catch(() => undefined);
    this.#reserving = false;
    if (waitMs === undefined) {
      // The database is unavailable. Waiting writes time out on their own.
      this.#timer ??= setTimeout(() => this.#serve(), AGAIN_MS);
      return;
    }
    // Counted from the response, which is later than the query, so that no permit is early.
    const first = this.clock() + waitMs;
    for (let index = 0; index < amount; index += 1) this.#permits.push(first + index * this.#spacingMs);
    this.#serve();
  }
}
