import type { Topic } from '../core/common/outbox.js';

export { TOPICS, type Topic } from '../core/common/outbox.js';

/** A job to put on the queue. */
export interface NewJob {
  /** While a job with this id is on the queue of its topic, adding it again has no effect. */
  id: string;
  topic: Topic;
  /** Contains only row ids. The rows are the source of truth, so a job may be lost or run twice without harm. */
  payload: Record<string, string>;
  /** Earliest time to run. Undefined: at once. */
  runAt?: Date | undefined;
  /** 0 is the highest priority. Larger numbers run later. */
  priority?: number | undefined;
}

export interface JobCount {
  readonly topic: Topic;
  readonly state: 'waiting' | 'active' | 'delayed';
  readonly count: number;
}

interface JobContext {
  /** Aborted when the queue is closed and the grace period is over. */
  signal: AbortSignal;
}

/** Default grace period of running jobs when a queue is closed. */
export const DEFAULT_GRACE_MS = 20_000;
/** Time for handlers to react to their signal, and for connections to close although the server may be unavailable. */
export const CLOSE_TIMEOUT_MS = 2_000;

/** Runs one job. A failure is logged and ends the job. The owner of the rows creates a new one. */
export type JobHandler = (payload: Record<string, string>, context: JobContext) => Promise<void>;

export interface WorkOptions {
  /** Number of handlers of this topic that run concurrently in this process. */
  concurrency: number;
  /** Whether this process may run its own reminder at once, without the queue. */
  canRunLocally?: (payload: Record<string, string>) => boolean;
}

/** The queue of reminders, with the same behavior on each backend. */
export interface JobQueue {
  /** Resolves if the server that stores the jobs responds. Rejects otherwise. */
  ping(): Promise<void>;
  /** Number of waiting, active and delayed jobs of each topic, across all processes. */
  counts(): Promise<readonly JobCount[]>;
  /** Resolves when all jobs are on the queue. If it rejects, any part of them may be. */
  addAll(jobs: NewJob[]): Promise<void>;
  /** Starts to run the jobs of a topic in this process. Called at most once per topic. */
  work(topic: Topic, options: WorkOptions, handler: JobHandler): void;
  /**
   * Takes no further jobs and waits up to `graceMs` for the running ones, then aborts their signal.
   *
   * Jobs that still run after that are abandoned, and another worker repeats them.
   */
  close(graceMs?: number): Promise<void>;
}

/** Settings for tests only. */
export interface QueueTiming {
  /** Duration of a job's lock if its worker does not renew it. */
  lockMs?: number;
  /** Interval of checks for jobs of dead workers. */
  stalledCheckMs?: number;
}

/** The queue's server cannot be used. The message suggests a fix and contains no password. */
export class QueueUnreachableError extends Error {
  override readonly name = 'QueueUnreachableError';
}
