/** A limit of the platform in addition to that of the whole account: at most `count` writes in any `perMs`. */
export interface RateBucket {
  /** Names what shares the limit, such as one chat or one method; no other of the connection has the same. */
  readonly key: string;
  /** Scope of a wait that the platform requests: `chat` its own chat, `method` every chat in which this is done. */
  readonly scope: 'chat' | 'method';
  readonly count: number;
  readonly perMs: number;
}

/** What one write counts against. */
export interface WriteRate {
  /**
   * Turns of the account, and as much room in each bucket, 1 by default. A text message of three segments takes three.
   */
  readonly cost?: number;
  readonly buckets: readonly RateBucket[];
}

/** What the platform said of a limit in its answer, in headers for instance. */
export interface RateReading {
  /** The key of a bucket that the write counted against. */
  readonly key: string;
  /** Writes that are left until the reset. */
  readonly remaining: number;
  readonly resetAfterMs: number;
}
