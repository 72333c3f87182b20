/** The topics of jobs. Each topic has its own queue and its own workers. */
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

/** One row of the outbox: work that was committed in the same transaction as its data. */
export interface OutboxJob {
  /** Increases with insertion and is never reused. */
  id: string;
  topic: Topic;
  /** Row ids only. The rows are the source of truth; a job is a reminder to process them. */
  payload: Record<string, string>;
  /** Earliest time of the job; null means immediately. */
  runAt: Date | null;
  /** Lower values are processed first; 0 is the highest priority. */
  priority: number;
}

/** The table between a commit and the queue. */
export interface Outbox {
  /**
   * Passes the oldest rows to `publish` and deletes them in one transaction. Resolves with their number.
   *
   * If `publish` throws, the rows are kept and the error is passed on. `publish` may get a row twice, because the
   * commit may fail after it, so it must be idempotent by id. Concurrent drains never share a row. Rows of an unknown
   * topic are left for a newer version.
   */
  drain(limit: number, publish: (jobs: OutboxJob[]) => Promise<void>): Promise<number>;
}
