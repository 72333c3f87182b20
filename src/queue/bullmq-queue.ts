import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobsOptions, JobType, Processor } from 'bullmq';
import { clock } from '../contract/clock.js';
import type { Log } from '../core/common/log.js';
import {
  CLOSE_TIMEOUT_MS,
  DEFAULT_GRACE_MS,
  type JobCount,
  type JobHandler,
  type JobQueue,
  type NewJob,
  TOPICS,
  type Topic,
  type WorkOptions,
} from './job-queue.js';
import { throttledErrors } from './throttled-errors.js';
import { within } from './within.js';

type Payload = Record<string, string>;

/** The members of a BullMQ Queue that are used here. Its type depends on the backend. */
export interface Producer {
  waitUntilReady(): Promise<unknown>;
  add(name: string, data: Payload, options: JobsOptions): Promise<unknown>;
  addBulk(jobs: { name: string; data: Payload; opts: JobsOptions }[]): Promise<unknown>;
  getJobCounts(...states: JobType[]): Promise<{ [state: string]: number }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

/** The members of a BullMQ Worker that are used here. */
export interface Consumer {
  waitUntilReady(): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  cancelAllJobs(reason?: string): void;
  close(): Promise<void>;
}

export interface ConsumerOptions {
  concurrency: number;
  lockDuration: number;
  stalledInterval: number;
  maxStalledCount: number;
  runRetryDelay: number;
  drainDelay: number;
}

/** The storage of BullMQ's jobs. */
export interface QueueBackend {
  createProducer(topic: Topic): Producer;
  createConsumer(topic: Topic, processor: Processor<Payload>, options: ConsumerOptions): Consumer;
  close(): Promise<void>;
}

/** With both values, the jobs of a killed worker run again within the documented 30 seconds. */
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 10_000;

const REPLACE_PAUSE_MS = 500;
/** Interval of an idle worker's checks. It limits the delay after a missed wake-up. */
export const IDLE_POLL_SECONDS = 0.5;

/** On PostgreSQL, adding jobs in bulk creates temporary tables, which cost as much as this number of single adds. */
const FEW_JOBS = 10;

const JOB_OPTIONS: JobsOptions = {
  // The database decides whether there is another attempt.
  attempts: 1,
  // A finished job releases its id.
  removeOnComplete: true,
  removeOnFail: true,
};

export interface BullQueueOptions {
  log: Log;
  lockMs?: number | undefined;
  stalledCheckMs?: number | undefined;
}

/** The job queue on BullMQ, with either backend. */
export class BullQueue implements JobQueue {
  private readonly producers: Map<Topic, Producer>;
  private readonly consumers = new Map<Topic, Consumer>();
  private readonly onError: (error: Error) => void;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly backend: QueueBackend,
    private readonly options: BullQueueOptions,
  ) {
    this.onError = throttledErrors(options.log, 'queue.connection_failed');
    this.producers = new Map(TOPICS.map((topic) => [topic, this.createProducer(topic)]));
  }

  /** Rejects if the backend cannot be used. The queue then stays unusable. */
  async waitUntilReady(): Promise<void> {
    await Promise.all([...this.producers.values()].map((producer) => producer.waitUntilReady()));
  }

  async ping(): Promise<void> {
    const [first] = this.producers.values();
    await first?.getJobCounts('active');
  }

  async addAll(jobs: NewJob[]): Promise<void> {
    const byTopic = groupByTopic(jobs);
    await Promise.all([...byTopic].map(([topic, group]) => this.addGroup(topic, group)));
  }

  async counts(): Promise<readonly JobCount[]> {
    const all = await Promise.all(
      [...this.producers].map(async ([topic, producer]) => {
        // BullMQ counts waiting jobs with a priority separately.
        const found = await producer.getJobCounts('waiting', 'prioritized', 'active', 'delayed');
        const count = (...states: string[]) => states.reduce((sum, state) => sum + (found[state] ?? 0), 0);
        return [
          { topic, state: 'waiting', count: count('waiting', 'prioritized') } as const,
          { topic, state: 'active', count: count('active') } as const,
          { topic, state: 'delayed', count: count('delayed') } as const,
        ];
      }),
    );
    return all.flat();
  }

  work(topic: Topic, { concurrency }: WorkOptions, handler: JobHandler): void {
    if (this.consumers.has(topic)) throw new Error(`There is a worker for ${topic} already.`);
    // BullMQ passes the signal only to a function with three parameters.
    const processor = async (job: Job<Payload>, _token?: string, signal?: AbortSignal) => {
      try {
        await handler(job.data, { signal: signal ?? new AbortController().signal });
      } catch (err) {
        this.options.log.error({ err, topic, job: job.id, payload: job.data }, 'job.failed');
        throw err;
      }
    };
    this.startConsumer(topic, () =>
      this.backend.createConsumer(topic, processor, this.consumerOptions(concurrency)),
    );
  }

  close(graceMs = DEFAULT_GRACE_MS): Promise<void> {
    this.closing ??= this.closeAll(graceMs);
    return this.closing;
  }

  private startConsumer(topic: Topic, create: () => Consumer): void {
    const consumer = create();
    consumer.on('error', this.onError);
    this.consumers.set(topic, consumer);
    // BullMQ does not retry a connection that failed during its setup, and the worker would stay idle.
    consumer.waitUntilReady().catch(() => this.replaceConsumer(topic, consumer, create));
  }

  private async replaceConsumer(topic: Topic, failed: Consumer, create: () => Consumer): Promise<void> {
    if (this.closing) return;
    await this.within(CLOSE_TIMEOUT_MS, failed.close());
    await sleep(REPLACE_PAUSE_MS);
    if (!this.closing) this.startConsumer(topic, create);
  }

  private createProducer(topic: Topic): Producer {
    const producer = this.backend.createProducer(topic);
    producer.on('error', this.onError);
    return producer;
  }

  private consumerOptions(concurrency: number): ConsumerOptions {
    return {
      concurrency,
      lockDuration: this.options.lockMs ?? LOCK_MS,
      stalledInterval: this.options.stalledCheckMs ?? STALLED_CHECK_MS,
      // Several workers may die during a job without being killed by it. The database counts attempts.
      maxStalledCount: 10,
      runRetryDelay: 500,
      drainDelay: IDLE_POLL_SECONDS,
    };
  }

  private async addGroup(topic: Topic, jobs: NewJob[]): Promise<void> {
    const producer = this.producers.get(topic);
    if (!producer) throw new Error(`There is no queue for ${topic}.`);
    // Single adds are several times faster for few jobs, and bulk adds for many.
    if (jobs.length <= FEW_JOBS)
      await Promise.all(jobs.map((job) => producer.add(topic, job.payload, toOptions(job))));
    else
      await producer.addBulk(jobs.map((job) => ({ name: topic, data: job.payload, opts: toOptions(job) })));
  }

  private async closeAll(graceMs: number): Promise<void> {
    const consumers = [...this.consumers.values()];
    const allClosed = Promise.all(consumers.map((consumer) => consumer.close()));
    if (!(await this.within(graceMs, allClosed))) {
      for (const consumer of consumers) consumer.cancelAllJobs('closing');
      if (!(await this.within(CLOSE_TIMEOUT_MS, allClosed)))
        this.options.log.warn({}, 'queue.jobs_left_behind');
    }
    const producers = [...this.producers.values()];
    await this.within(CLOSE_TIMEOUT_MS, Promise.all(producers.map((producer) => producer.close())));
    await this.within(CLOSE_TIMEOUT_MS, this.backend.close());
  }

  /** Whether the work ends within the limit. A failure is logged and counts as an end, because the queue is closing. */
  private within(limitMs: number, work: Promise<unknown>): Promise<boolean> {
    return within(
      limitMs,
      work.catch((error: Error) => this.onError(error)),
    );
  }
}

function toOptions(job: NewJob): JobsOptions {
  // BullMQ adds `delay` to `timestamp`.
  const timestamp = clock.now();
  const delay = job.runAt ? Math.max(0, job.runAt.getTime() - timestamp) : 0;
  return { ...JOB_OPTIONS, jobId: job.id, timestamp, delay, priority: job.priority ?? 0 };
}

function groupByTopic(jobs: NewJob[]): Map<Topic, NewJob[]> {
  const groups = new Map<Topic, NewJob[]>();
  for (const job of jobs) {
    const group = groups.get(job.topic);
    if (group) group.push(job);
    else groups.set(job.topic, [job]);
  }
  return groups;
}
