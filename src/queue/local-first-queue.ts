import type { Log } from '../core/common/log.js';
import {
  CLOSE_TIMEOUT_MS,
  DEFAULT_GRACE_MS,
  type JobCount,
  type JobHandler,
  type JobQueue,
  type NewJob,
  type Topic,
  type WorkOptions,
} from './job-queue.js';
import { within } from './within.js';

/** Work that runs this long here is offered to other processes at this interval, so that they can share it. */
const SHARE_EVERY_MS = 250;

type Payload = Record<string, string>;

interface Work {
  readonly canRunLocally: (payload: Payload) => boolean;
  readonly limit: number;
  readonly handler: JobHandler;
}

/** The running work for one payload in this process. */
interface Doing {
  calls: number;
  sharedAt: number;
}

/**
 * Runs work at once in this process instead of sending it through the queue. A job is only a reminder, so nothing is lost
 * if the process dies: the sweeper finds due work.
 */
export class LocalFirstQueue implements JobQueue {
  readonly #works = new Map<Topic, Work>();
  readonly #doing = new Map<string, Doing>();
  readonly #running = new Set<Promise<void>>();
  readonly #offered = new Map<string, { readonly topic: Topic; readonly payload: Payload }>();
  readonly #stops = new Set<AbortController>();
  #isClosing = false;

  constructor(
    private readonly queue: JobQueue,
    private readonly log: Log,
  ) {}

  /** Reports committed work that this process may do at once. Its reminder follows in any case. */
  offer(topic: Topic, payload: Payload): void {
    if (this.#offered.size === 0) setImmediate(() => this.#follow());
    this.#offered.set(keyOf(topic, payload), { topic, payload });
  }

  /** Starts work that no other process can do, without a limit. Returns false if it cannot be done here. */
  start(topic: Topic, payload: Payload): boolean {
    return this.#begin(topic, payload, Number.POSITIVE_INFINITY);
  }

  async addAll(jobs: NewJob[]): Promise<void> {
    const remote = jobs.filter((job) => !this.#takes(job));
    if (remote.length > 0) await this.queue.addAll(remote);
  }

  work(topic: Topic, options: WorkOptions, handler: JobHandler): void {
    const { canRunLocally, concurrency } = options;
    if (canRunLocally !== undefined) this.#works.set(topic, { canRunLocally, handler, limit: concurrency });
    this.queue.work(topic, options, handler);
  }

  ping(): Promise<void> {
    return this.queue.ping();
  }

  counts(): Promise<readonly JobCount[]> {
    return this.queue.counts();
  }

  /** Sends all further work to the queue, because this process is about to stop. */
  stopAccepting(): void {
    this.#isClosing = true;
  }

  async close(graceMs = DEFAULT_GRACE_MS): Promise<void> {
    this.stopAccepting();
    await Promise.all([this.#end(graceMs), this.queue.close(graceMs)]);
  }

  #follow(): void {
    const offers = [...this.#offered.values()];
    this.#offered.clear();
    for (const { topic, payload } of offers) this.#begin(topic, payload);
  }

  /** Returns false if the job must go to the queue. */
  #takes({ topic, payload, runAt }: NewJob): boolean {
    return runAt === undefined && this.#begin(topic, payload) && !this.#shouldShare(topic, payload);
  }

  #shouldShare(topic: Topic, payload: Payload): boolean {
    const doing = this.#doing.get(keyOf(topic, payload));
    const now = performance.now();
    if (doing === undefined || now - doing.sharedAt < SHARE_EVERY_MS) return false;
    doing.sharedAt = now;
    return true;
  }

  #begin(topic: Topic, payload: Payload, limit?: number): boolean {
    const work = this.#works.get(topic);
    if (this.#isClosing || work === undefined || !work.canRunLocally(payload)) return false;
    if (this.#running.size >= (limit ?? work.limit)) return false;
    const run = this.#run(topic, payload, work.handler);
    this.#running.add(run);
    void run.finally(() => this.#running.delete(run));
    return true;
  }

  async #run(topic: Topic, payload: Payload, handler: JobHandler): Promise<void> {
    const key = keyOf(topic, payload);
    const doing = this.#doing.get(key) ?? { calls: 0, sharedAt: performance.now() };
    this.#doing.set(key, doing);
    doing.calls += 1;
    const stop = new AbortController();
    this.#stops.add(stop);
    try {
      await handler(payload, { signal: stop.signal });
    } catch (err) {
      this.log.error({ err, topic, payload }, 'job.failed');
    } finally {
      this.#stops.delete(stop);
      doing.calls -= 1;
      if (doing.calls === 0) this.#doing.delete(key);
    }
  }

  async #end(graceMs: number): Promise<void> {
    const done = Promise.all(this.#running);
    await within(graceMs, done);
    for (const stop of this.#stops) stop.abort('closing');
    await within(CLOSE_TIMEOUT_MS, done);
  }
}

function keyOf(topic: Topic, payload: Payload): string {
  return `${topic} ${JSON.stringify(payload)}`;
}
