/** A rate limit in addition to that of the whole account: at most `count` writes in any period of `perMs`. */
export interface RateBucket {
  /** Identifies the bucket within the connection, such as one chat or one method. */
  readonly key: string;
  /** The scope of a wait that the platform requests. `chat`: this chat. `method`: this method in every chat. */
  readonly scope: 'chat' | 'method';
  readonly count: number;
  readonly perMs: number;
}

/** The rate limits that one write counts against. */
export interface WriteRate {
  /**
   * The permits of the account and the capacity in each bucket that the write uses. Default 1. A text message of three
   * segments uses 3.
   */
  readonly cost?: number;
  readonly buckets: readonly RateBucket[];
}

/** The state of a rate limit that the platform reports in a response, for example in headers. */
export interface RateReading {
  /** The key of a bucket that the write counted against. */
  readonly key: string;
  /** The number of writes that remain until the reset. */
  readonly remaining: number;
  readonly resetAfterMs: number;
}
