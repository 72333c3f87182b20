import { askedWaitMs } from '../../contract/asked-wait.js';
import { clock } from '../../contract/clock.js';
import type { PlatformProblem, RateReading, RemoteChatId, WriteRate } from '../../contract/index.js';
import { Batcher } from '../common/batcher.js';
import { AccountRateLimiter } from './account-rate-limiter.js';
import type { RateBuckets, RoomRequest } from './ports.js';

/** Maximum wait for capacity. A write that would have to wait longer gives up its place. */
export const TIMEOUT_MS = 250;
const TOGETHER = 64;

/** The configured rate of a connection's account. */
export interface AccountRate {
  readonly perSecond: number;
  readonly burst: number;
}

interface Limits {
  turns: AccountRateLimiter | undefined;
  readonly room: Batcher<RoomRequest, number>;
  /** When the first full chat has capacity again, on the clock of the database. */
  lookAt: number;
}

/**
 * Keeps calls within the rate limits of platforms, across processes and restarts: turns of the account, and capacity in the
 * buckets of chats and methods. Concurrent requests share one database query.
 */
export class Rates {
  readonly #limits = new Map<string, Limits>();

  constructor(private readonly buckets: RateBuckets) {}

  /**
   * Takes capacity in the chat and for the method. Resolves with 0 once it is taken, possibly after a short wait, or else with
   * the necessary wait.
   */
  async room(
    connectionId: string,
    chatId: RemoteChatId,
    { cost = 1, buckets }: WriteRate,
    patienceMs = TIMEOUT_MS,
  ): Promise<number> {
    if (buckets.length === 0) return 0;
    const limits = this.#of(connectionId);
    const waitMs = await limits.room.add({ chatId, cost, patienceMs, buckets });
    if (waitMs > patienceMs) {
      this.#lookAgain(limits, waitMs);
      return waitMs;
    }
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(waitMs)));
    return 0;
  }

  /** Waits for the account's turn. True at its time, false if it did not come within `patienceMs`. */
  turn(
    connectionId: string,
    account: AccountRate | null,
    cost: number,
    priority: number,
    patienceMs: number,
  ): Promise<boolean> {
    if (account === null) return Promise.resolve(true);
    const limits = this.#of(connectionId);
    if (limits.turns?.perSecond !== account.perSecond) {
      limits.turns?.release();
      limits.turns = new AccountRateLimiter(account.perSecond, account.burst, (amount, spacingMs, leewayMs) =>
        this.buckets.reserve(connectionId, amount, spacingMs, leewayMs),
      );
    }
    return limits.turns.take(cost, priority, patienceMs);
  }

  /** Ends the waits for turns of one connection, or of all, without a turn. */
  release(connectionId?: string): void {
    if (connectionId !== undefined) this.#limits.get(connectionId)?.turns?.release();
    else for (const { turns } of this.#limits.values()) turns?.release();
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
    if (limits === undefined || limits.lookAt === Number.POSITIVE_INFINITY) return undefined;
    const waitMs = limits.lookAt - clock.now();
    if (waitMs <= 0) limits.lookAt = Number.POSITIVE_INFINITY;
    return Math.max(0, waitMs);
  }

  async #hold(
    connectionId: string,
    keys: readonly string[],
    chatId: string | null,
    waitMs: number,
  ): Promise<void> {
    await this.buckets.hold(connectionId, keys, chatId, waitMs);
    this.#lookAgain(this.#of(connectionId), waitMs);
  }

  #lookAgain(limits: Limits, waitMs: number): void {
    limits.lookAt = Math.min(limits.lookAt, clock.now() + Math.ceil(waitMs));
  }

  #of(connectionId: string): Limits {
    let limits = this.#limits.get(connectionId);
    if (limits === undefined) {
      const take = (writes: readonly RoomRequest[]) => this.buckets.take(connectionId, writes);
      limits = {
        turns: undefined,
        room: new Batcher(take, { maxItems: TOGETHER, atOnce: 1 }),
        lookAt: Number.POSITIVE_INFINITY,
      };
      this.#limits.set(connectionId, limits);
    }
    return limits;
  }
}
