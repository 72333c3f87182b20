import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../core/common/log.js';
import type { JobCount, JobHandler, JobQueue, NewJob, Topic, WorkOptions } from './job-queue.js';

const RETRY_MS = 5_000;

interface Work {
  readonly topic: Topic;
  readonly options: WorkOptions;
  readonly handler: JobHandler;
}

/**
 * A queue whose server may start after the service. Until then, work waits in the outbox. Workers start when the server
 * is available.
 */
export class ReconnectingQueue implements JobQueue {
  #queue: JobQueue | undefined;
  readonly #waiting: Work[] = [];
  readonly #closing = new AbortController();
  #opening: Promise<void> = Promise.resolve();

  constructor(
    private readonly open: () => Promise<JobQueue>,
    private readonly log: Log,
    private readonly retryMs = RETRY_MS,
  ) {}

  /**
   * Resolves after the first attempt, even if it failed. Further attempts continue in the background. After `close`, it
   * opens nothing.
   */
  async start(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const first = this.#try('error');
    this.#opening = first.then((isOpen) => (isOpen ? undefined : this.#keepTrying()));
    await first;
  }

  async #keepTrying(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await sleep(this.retryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || (await this.#try('debug'))) return;
    }
  }

  async #try(level: 'error' | 'debug'): Promise<boolean> {
    try {
      const queue = await this.open();
      this.#queue = queue;
      // `close` waits for this queue in order to close it.
      if (this.#closing.signal.aborted) return true;
      for (const { topic, options, handler } of this.#waiting) queue.work(topic, options, handler);
      return true;
    } catch (error) {
      this.log[level]({ reason: (error as Error).message }, 'queue.unreachable');
      return false;
    }
  }

  async ping(): Promise<void> {
    await this.#opened().ping();
  }

  async addAll(jobs: NewJob[]): Promise<void> {
    await this.#opened().addAll(jobs);
  }

  #opened(): JobQueue {
    if (this.#queue === undefined) throw new Error('The queue is not reachable yet.');
    return this.#queue;
  }

  async counts(): Promise<readonly JobCount[]> {
    return this.#queue?.counts() ?? [];
  }

  work(topic: Topic, options: WorkOptions, handler: JobHandler): void {
    this.#waiting.push({ topic, options, handler });
    this.#queue?.work(topic, options, handler);
  }

  /** Waits for an attempt that is in progress, so that no queue is opened afterwards. */
  async close(graceMs?: number): Promise<void> {
    this.#closing.abort();
    await this.#opening;
    await this.#queue?.close(graceMs);
  }
}
