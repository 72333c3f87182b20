import type { RateBucket } from '../../contract/index.js';

/** One write that asks for room in the buckets that it counts against. */
export interface RoomRequest {
  readonly chatId: string;
  /** How much room it takes in each. */
  readonly cost: number;
  /** What would have to wait for longer takes none. */
  readonly patienceMs: number;
  readonly buckets: readonly RateBucket[];
}

/** What connections have used up of their platforms' limits, the same for all processes and after a restart. */
export interface RateBuckets {
  /**
   * Reserves the account's next `amount` turns, `spacingMs` apart; unused turns may be made up for within
   * `leewayMs`. Resolves with the wait until the first, which is not positive when that is now.
   */
  reserve(connectionId: string, amount: number, spacingMs: number, leewayMs: number): Promise<number>;
  /** Takes room for each write that gets some within its patience; resolves with the waits, in the writes' order. */
  take(connectionId: string, writes: readonly RoomRequest[]): Promise<readonly number[]>;
  /** Nothing counts against these buckets, and nothing goes to this chat, before `waitMs` are over. */
  hold(connectionId: string, keys: readonly string[], chatId: string | null, waitMs: number): Promise<void>;
  /** The wait until a chat that is held and has something to send may be written to again. */
  nextHeld(connectionId: string): Promise<number | undefined>;
}
