import type { Topic } from '../core/common/outbox.js';

export { TOPICS, type Topic } from '../core/common/outbox.js';

/** A job to put on the queue. */
export interface NewJob {
  /** While a job of this id is on the queue of its topic, adding it again does nothing. */
  id: string;
  topic: Topic;
  /** Row ids only: the rows are the truth, a job may be lost or run twice without harm. */
  payload: Record<string, string>;
  /** Not before this time; absent is at once. */
  runAt?: Date | undefined;
  /** 0 is first, a larger number waits behind a smaller one. */
  priority?: number | undefined;
}

export interface JobCount {
  readonly topic: Topic;
  readonly state: 'waiting' | 'active' | 'delayed';
  readonly count: number;
}

interface JobContext {
  /** Aborted when the queue is closed and the time for an orderly end is over. */
  signal: AbortSignal;
}

/** How long running jobs may take when a queue is closed, by default. */
export const DEFAULT_GRACE_MS = 20_000;
/** For handlers to notice their signal, and for connections to say goodbye to a server that may be away. */
export const CLOSE_TIMEOUT_MS = 2_000;

/** Does the work of one job. A failure is logged and the job is over: the owner of the rows creates a new one. */
export type JobHandler = (payload: Record<string, string>, context: JobContext) => Promise<void>;

export interface WorkOptions {
  /** How many handlers of this topic run at once in this process. */
  concurrency: number;
  /** Whether this process may do at once what it is reminded of by itself, without the queue. */
  canRunLocally?: (payload: Record<string, string>) => boolean;
}

/** The queue of wake-ups, the same on each backend. */
export interface JobQueue {
  /** Resolves when the server that keeps the jobs answers; rejects when it does not. */
  ping(): Promise<void>;
  /** How many jobs of each topic wait, run or are for later, over all processes. */
  counts(): Promise<readonly JobCount[]>;
  /** Resolves when all jobs are on the queue; when it throws, any part of them may be. */
  addAll(jobs: NewJob[]): Promise<void>;
  /** Starts to run the jobs of a topic in this process. At most once per topic. */
  work(topic: Topic, options: WorkOptions, handler: JobHandler): void;
  /**
   * Takes no further jobs and waits up to `graceMs` for the running ones, then aborts their signal.
   *
   * What still runs after that is left behind, and another worker repeats it.
   */
  close(graceMs?: number): Promise<void>;
}

/** Knobs that only tests turn. */
export interface QueueTiming {
  /** How long a job belongs to a worker that gives no sign of life. */
  lockMs?: number;
  /** How often jobs of dead workers are looked for. */
  stalledCheckMs?: number;
}

/** The queue's server can't be used. The message says what to do and holds no password. */
export class QueueUnreachableError extends Error {
  override readonly name = 'QueueUnreachableError';
}
