import { askedWaitMs } from '../../contract/asked-wait.js';
import { clock } from '../../contract/clock.js';
import type { PlatformProblem, RateReading, RemoteChatId, WriteRate } from '../../contract/index.js';
import { Batcher } from '../common/batcher.js';
import { AccountRateLimiter } from './account-rate-limiter.js';
import type { RateBuckets, RoomRequest } from './ports.js';

/** What has to wait for longer gives up its place meanwhile. */
export const TIMEOUT_MS = 250;
const TOGETHER = 64;

/** The account's rate, as it is set for a connection. */
export interface AccountRate {
  readonly perSecond: number;
  readonly burst: number;
}

interface Limits {
  turns: AccountRateLimiter | undefined;
  readonly room: Batcher<RoomRequest, number>;
  /** When the first chat that was found full has room again, on the clock of the database. */
  lookAt: number;
}

/**
 * Keeps calls within what platforms allow, over all processes and restarts: turns of the account, and room in the
 * buckets of chats and methods. What is asked for at the same time costs one question of the database.
 */
export class Rates {
  readonly #limits = new Map<string, Limits>();

  constructor(private readonly buckets: RateBuckets) {}

  /** Room in the chat and for the method. 0 once it was taken, after a short wait if need be; else the wait there is. */
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

  /** The account's turn: true at its time, false when it did not come within `patienceMs`. */
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

  /** Ends the waits for turns of the connection, or of all, without a turn. */
  release(connectionId?: string): void {
    if (connectionId !== undefined) this.#limits.get(connectionId)?.turns?.release();
    else for (const { turns } of this.#limits.values()) turns?.release();
  }

  /** Applies the rate limits that an answer of the platform reports. */
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

  /** The platform asked for a wait after this write. False: it binds the whole account. */
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
    await this.#hold(connectionId, keys, chat, askedWaitMs(problem.retryAfterMs));
    return true;
  }

  /** The wait until a chat without room has some again and something is to be sent there; undefined: none is known. */
  nextRoomMs(connectionId: string): Promise<number | undefined> {
    return this.buckets.nextHeld(connectionId);
  }

  /** The same as far as this process remembers, without asking. */
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
        room: new Batcher(take, { most: TOGETHER, atOnce: 1 }),
        lookAt: Number.POSITIVE_INFINITY,
      };
      this.#limits.set(connectionId, limits);
    }
    return limits;
  }
}
