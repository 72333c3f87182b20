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

/** What is used of a BullMQ Queue, whose type differs with the backend. */
export interface Producer {
  waitUntilReady(): Promise<unknown>;
  add(name: string, data: Payload, options: JobsOptions): Promise<unknown>;
  addBulk(jobs: { name: string; data: Payload; opts: JobsOptions }[]): Promise<unknown>;
  getJobCounts(...states: JobType[]): Promise<{ [state: string]: number }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

/** What is used of a BullMQ Worker. */
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

/** Where BullMQ keeps its jobs. */
export interface QueueBackend {
  createProducer(topic: Topic): Producer;
  createConsumer(topic: Topic, processor: Processor<Payload>, options: ConsumerOptions): Consumer;
  close(): Promise<void>;
}

/** With both, the jobs of a killed worker run again within the 30 seconds that we promise. */
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 10_000;

const REPLACE_PAUSE_MS = 500;
/** A wake-up that the library misses between two looks costs no more than this. */
export const IDLE_LOOK_SECONDS = 0.5;

/** On PostgreSQL a list of jobs costs temporary tables, as much as this many jobs one by one. */
const FEW_JOBS = 10;

const JOB_OPTIONS: JobsOptions = {
  // The database decides about a next attempt.
  attempts: 1,
  // A job that is over frees its id.
  removeOnComplete: true,
  removeOnFail: true,
};

export interface BullQueueOptions {
  log: Log;
  lockMs?: number | undefined;
  stalledCheckMs?: number | undefined;
}

/** Our queue on BullMQ, whatever it stores its jobs in. */
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

  /** Rejects when the backend can't be used; a queue that was not ready once stays unusable. */
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
        // Those with a priority stand in a line of their own.
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
    // BullMQ gives the signal only to a function of three parameters.
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
    // BullMQ remembers a connection that failed while it was set up for ever, and the worker stays idle.
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
      // A job of several workers that died is not the one that killed them; the database counts attempts.
      maxStalledCount: 10,
      runRetryDelay: 500,
      drainDelay: IDLE_LOOK_SECONDS,
    };
  }

  private async addGroup(topic: Topic, jobs: NewJob[]): Promise<void> {
    const producer = this.producers.get(topic);
    if (!producer) throw new Error(`There is no queue for ${topic}.`);
    // Each way is several times faster than the other for its own number of jobs.
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

  /** True when the work is done in time. Its failure is logged and counts as done: we are on the way out. */
  private within(limitMs: number, work: Promise<unknown>): Promise<boolean> {
    return within(
      limitMs,
      work.catch((error: Error) => this.onError(error)),
    );
  }
}

function toOptions(job: NewJob): JobsOptions {
  // The queue adds the two.
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
