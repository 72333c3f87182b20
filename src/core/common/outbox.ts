/** What a job can be about; each topic has its own queue and its own workers. */
export const TOPICS = [
  'deliver',
  'event',
  'webhook',
  'broadcast',
  'envelope',
  'media',
  'timer',
  'signal',
] as const;

/** One of {@link TOPICS}. */
export type Topic = (typeof TOPICS)[number];

/** One row of the outbox: work that was committed together with the data it is about. */
export interface OutboxJob {
  /** Grows with insertion; never reused. */
  id: string;
  topic: Topic;
  /** Row ids only. The rows are the truth, a job is a reminder to look at them. */
  payload: Record<string, string>;
  /** Not before this time; null is at once. */
  runAt: Date | null;
  /** 0 is first, a larger number waits behind a smaller one. */
  priority: number;
}

/** The table between a commit and the queue. */
export interface Outbox {
  /**
   * Hands the oldest rows to `publish` and forgets them, in one transaction; resolves with their number.
   *
   * Rows stay when `publish` throws, and the error is passed on. `publish` can see a row twice (a commit may
   * fail after it), so it has to be idempotent by id. Concurrent drains never share a row, and rows of a
   * topic that this version does not know are left for a newer one.
   */
  drain(limit: number, publish: (jobs: OutboxJob[]) => Promise<void>): Promise<number>;
}
