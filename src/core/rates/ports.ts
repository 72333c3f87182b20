import type { RateBucket } from '../../contract/index.js';

/** One write that requests capacity in its buckets. */
export interface CapacityRequest {
  readonly chatId: string;
  /** The capacity that it takes in each bucket. */
  readonly cost: number;
  /** A write that would have to wait longer takes no capacity. */
  readonly maxWaitMs: number;
  readonly buckets: readonly RateBucket[];
}

/** The used capacity of platforms' rate limits per connection. It is shared by all processes and survives restarts. */
export interface RateBuckets {
  /**
   * Reserves the account's next `amount` permits, `spacingMs` apart. Unused permits of the last `leewayMs` are still available.
   * Resolves with the wait until the first permit, which is not positive if the permit is available now.
   */
  reserve(connectionId: string, amount: number, spacingMs: number, leewayMs: number): Promise<number>;
  /** Takes capacity for each write that gets it within its `maxWaitMs`. Resolves with the waits in the order of the writes. */
  take(connectionId: string, writes: readonly CapacityRequest[]): Promise<readonly number[]>;
  /** Blocks these buckets and this chat for `waitMs`. */
  hold(connectionId: string, keys: readonly string[], chatId: string | null, waitMs: number): Promise<void>;
  /** The wait until the first blocked chat with something to send is available again. */
  nextLaneReleaseMs(connectionId: string): Promise<number | undefined>;
}
