/** Turns are reserved this far ahead, so that not each needs a query. Writes of other processes wait at most this long. */
const AHEAD_MS = 250;
/** A turn may be taken so much later than it was meant, so that delays of this process cost none. */
const LATENESS_MS = 250;
/** Before another question after one that failed. */
const AGAIN_MS = 500;
/** Share of a slow platform's rate. The rest prevents refusals when two clocks differ a little. */
const SHARE = 0.97;
/** Of a fast one's, but for the writes at both ends of a second: of thirty they are a fifteenth, of a thousand next to nothing. */
const FAST_SHARE = 0.99;
const AT_THE_ENDS = 2;

/** How far apart the turns of an account are, and how long a second counts here. */
export function spacingOf(perSecond: number): { readonly secondMs: number; readonly spacingMs: number } {
  const share = Math.max(SHARE, FAST_SHARE * (1 - AT_THE_ENDS / perSecond));
  return { secondMs: 1000 / share, spacingMs: 1000 / share / perSecond };
}

/** Reserves the next turns of the account; resolves with the milliseconds until the first of them. */
export type Reserve = (amount: number, spacingMs: number, leewayMs: number) => Promise<number>;

interface Waiter {
  readonly cost: number;
  readonly priority: number;
  readonly served: (granted: boolean) => void;
}

/**
 * The turns of one account in this process. Turns are reserved in groups, each for a time of its own, and handed out
 * when their time has come: the most urgent first, then in the order of asking.
 */
export class AccountRateLimiter {
  readonly #spacingMs: number;
  readonly #leewayMs: number;
  /** The assumed length of a second. Calls that are sent in time may arrive closer together. */
  readonly #secondMs: number;
  #waiting: Waiter[] = [];
  /** Times of the reserved turns on `clock`, the next first. */
  #turns: number[] = [];
  /** Turns that a write took beyond its first. */
  #owed = 0;
  /** When turns of the last second were taken, the oldest first: late ones do not come on top of what the rate allows. */
  #taken: number[] = [];
  #reserving = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly perSecond: number,
    private readonly burst: number,
    private readonly reserve: Reserve,
    /** Milliseconds that never go back. */
    private readonly clock: () => number = () => performance.now(),
  ) {
    const { secondMs, spacingMs } = spacingOf(perSecond);
    this.#secondMs = secondMs;
    this.#spacingMs = spacingMs;
    this.#leewayMs = burst * this.#spacingMs;
  }

  /** Resolves with true at the write's turn, or with false when there was none within `patienceMs`. */
  take(cost: number, priority: number, patienceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== waiter);
        resolve(false);
      }, patienceMs);
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

  /** Ends every wait without a turn, for instance because the platform refused the account meanwhile. */
  release(): void {
    this.#turns = [];
    this.#owed = 0;
    for (const { served } of this.#waiting.splice(0)) served(false);
  }

  #serve(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = this.clock();
    while (this.#waiting.length > 0) {
      const turn = this.#turns[0];
      if (turn === undefined || this.#dueAt(turn) > now) break;
      this.#turns.shift();
      if (turn < now - this.#leewayMs - LATENESS_MS) continue;
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
    const turn = this.#turns[0];
    if (this.#waiting.length > 0 && turn !== undefined) {
      this.#timer = setTimeout(() => this.#serve(), Math.max(0, this.#dueAt(turn) - now));
    }
  }

  /** A turn's own time, or later when the last second is full. */
  #dueAt(turn: number): number {
    const most = Math.max(1, Math.floor(this.perSecond)) + this.burst;
    if (this.#taken.length > most) this.#taken = this.#taken.slice(-most);
    const oldest = this.#taken.at(-most);
    return oldest === undefined ? turn : Math.max(turn, oldest + this.#secondMs);
  }

  /** As many as are waited for, within the time ahead. */
  async #reserveMore(): Promise<void> {
    const wanted = this.#waiting.reduce((sum, { cost }) => sum + cost, this.#owed) - this.#turns.length;
    const horizon = Math.max(1, Math.floor(AHEAD_MS / this.#spacingMs));
    const amount = Math.min(wanted, horizon);
    if (this.#reserving || amount <= 0 || this.#turns.length > horizon / 2) return;
    this.#reserving = true;
    const waitMs = await this.reserve(amount, this.#spacingMs, this.#leewayMs).catch(() => undefined);
    this.#reserving = false;
    if (waitMs === undefined) {
      // The database is away for now. A waiter gives up by itself after its limit.
      this.#timer ??= setTimeout(() => this.#serve(), AGAIN_MS);
      return;
    }
    // From the answer on, which is later than the question: never before its time.
    const first = this.clock() + waitMs;
    for (let turn = 0; turn < amount; turn += 1) this.#turns.push(first + turn * this.#spacingMs);
    this.#serve();
  }
}
