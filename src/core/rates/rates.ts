import { askedWaitMs } from '../../contract/asked-wait.js';
import { clock } from '../../contract/clock.js';
import type { PlatformProblem, RateReading, RemoteChatId, WriteRate } from '../../contract/index.js';
import { Batcher } from '../common/batcher.js';
import { AccountRateLimiter } from './account-rate-limiter.js';
import type { CapacityRequest, RateBuckets } from './ports.js';

/** Maximum wait for capacity. A write that would have to wait longer gives up its place. */
export const TIMEOUT_MS = 250;
const TOGETHER = 64;

/** The configured rate of a connection's account. */
export interface AccountRate {
  readonly perSecond: number;
  readonly burst: number;
}

interface Limits {
  accountLimiter: AccountRateLimiter | undefined;
  readonly capacityBatcher: Batcher<CapacityRequest, number>;
  /** When the first full chat has capacity again, on the clock of the database. */
  recheckAt: number;
}

/**
 * Keeps calls within the rate limits of platforms, across processes and restarts: permits of the account, and capacity in the
 * buckets of chats and methods. Concurrent requests share one database query.
 */
export class Rates {
  readonly #limits = new Map<string, Limits>();

  constructor(private readonly buckets: RateBuckets) {}

  /**
   * Takes capacity in the chat and for the method. Resolves with 0 once it is taken, possibly after a short wait, or else with
   * the necessary wait.
   */
  async acquireCapacity(
    connectionId: string,
    chatId: RemoteChatId,
    { cost = 1, buckets }: WriteRate,
    maxWaitMs = TIMEOUT_MS,
  ): Promise<number> {
    if (buckets.length === 0) return 0;
    const limits = this.#of(connectionId);
    const waitMs = await limits.capacityBatcher.add({ chatId, cost, maxWaitMs, buckets });
    if (waitMs > maxWaitMs) {
      this.#recheckIn(limits, waitMs);
      return waitMs;
    }
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(waitMs)));
    return 0;
  }

  /** Waits for a permit of the account. True at its time, false if there was none within `maxWaitMs`. */
  acquirePermit(
    connectionId: string,
    account: AccountRate | null,
    cost: number,
    priority: number,
    maxWaitMs: number,
  ): Promise<boolean> {
    if (account === null) return Promise.resolve(true);
    const limits = this.#of(connectionId);
    if (limits.accountLimiter?.perSecond !== account.perSecond) {
      limits.accountLimiter?.release();
      limits.accountLimiter = new AccountRateLimiter(
        account.perSecond,
        account.burst,
        (amount, spacingMs, leewayMs) => this.buckets.reserve(connectionId, amount, spacingMs, leewayMs),
      );
    }
    return limits.accountLimiter.take(cost, priority, maxWaitMs);
  }

  /** Ends the waits for permits of one connection, or of all, without a permit. */
  release(connectionId?: string): void {
    if (connectionId !== undefined) this.#limits.get(connectionId)?.accountLimiter?.release();
    else for (const { accountLimiter } of this.#limits.values()) accountLimiter?.release();
  }

  /** Applies the rate limits that a response of the platform reports. */
  async applyReadings(
    connectionId: string,
    chatId: RemoteChatId,
    readings: readonly RateReading[],
  ): Promise<void> {
    for (const { key, remaining, resetAfterMs } of readings) {
      if (remaining > 0 || !(resetAfterMs > 0)) continue;
      await this.#hold(connectionId, [key], chatId, askedWaitMs(resetAfterMs));
    }
  }

  /** Handles a wait that the platform requested after this write. False if it applies to the whole account. */
  async refused(
    connectionId: string,
    chatId: string,
    problem: PlatformProblem & { readonly kind: 'rate_limited' },
    { buckets }: WriteRate,
  ): Promise<boolean> {
    if (problem.scope === 'account') return false;
    const keys = buckets.filter(({ scope }) => scope === problem.scope).map(({ key }) => key);
    if (problem.scope === 'method' && keys.length === 0) return false;
    const chat = problem.scope === 'chat' ? chatId : null;
    await this.#hold(connectionId, keys, chat, problem.retryAfterMs);
    return true;
  }

  /** The wait until a full chat with something to send has capacity again. Undefined if none is known. */
  nextRoomMs(connectionId: string): Promise<number | undefined> {
    return this.buckets.nextLaneReleaseMs(connectionId);
  }

  /** Same, from the memory of this process, without a query. */
  knownNextRoomMs(connectionId: string): number | undefined {
    const limits = this.#limits.get(connectionId);
    if (limits === undefined || limits.recheckAt === Number.POSITIVE_INFINITY) return undefined;
    const waitMs = limits.recheckAt - clock.now();
    if (waitMs <= 0) limits.recheckAt = Number.POSITIVE_INFINITY;
    return Math.max(0, waitMs);
  }

  async #hold(
    connectionId: string,
    keys: readonly string[],
    chatId: string | null,
    waitMs: number,
  ): Promise<void> {
    await this.buckets.hold(connectionId, keys, chatId, waitMs);
    this.#recheckIn(this.#of(connectionId), waitMs);
  }

  #recheckIn(limits: Limits, waitMs: number): void {
    limits.recheckAt = Math.min(limits.recheckAt, clock.now() + Math.ceil(waitMs));
  }

  #of(connectionId: string): Limits {
    let limits = this.#limits.get(connectionId);
    if (limits === undefined) {
      const take = (writes: readonly CapacityRequest[]) => this.buckets.take(connectionId, writes);
      limits = {
        accountLimiter: undefined,
        capacityBatcher: new Batcher(take, { maxItems: TOGETHER, atOnce: 1 }),
        recheckAt: Number.POSITIVE_INFINITY,
      };
      this.#limits.set(connectionId, limits);
    }
    return limits;
  }
}
