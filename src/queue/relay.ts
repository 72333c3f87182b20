import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../core/common/log.js';
import type { Outbox, OutboxJob } from '../core/common/outbox.js';
import { coalesce } from './coalesce.js';
import type { JobQueue } from './job-queue.js';
import { throttledErrors } from './throttled-errors.js';

const POLL_MS = 200;
/** Pause between batches while rows keep arriving, so that they are published together. An idle relay starts at once. */
const SPACING_MS = 25;
const BATCH = 500;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;
/** Limits the transaction that stays open while jobs are published, in case the queue hangs. */
const PUBLISH_LIMIT_MS = 15_000;

export interface RelayOptions {
  outbox: Outbox;
  queue: Pick<JobQueue, 'addAll'>;
  log: Log;
}

/**
 * Publishes committed work from the outbox to the queue. It is the only producer of jobs.
 *
 * Any number of relays may run. A relay survives an outage of the database or the queue and continues afterwards.
 */
export class OutboxRelay {
  private readonly onError: (error: Error) => void;
  private stopping: AbortController | undefined;
  private running: Promise<void> = Promise.resolve();
  private woken = false;
  private endPause: (() => void) | undefined;

  constructor(private readonly options: RelayOptions) {
    this.onError = throttledErrors(options.log, 'outbox.relay_failed');
  }

  start(): void {
    if (this.stopping) return;
    this.stopping = new AbortController();
    this.running = this.run(this.stopping.signal);
  }

  /** Resolves when the batch in progress is done. */
  async stop(): Promise<void> {
    this.stopping?.abort();
    this.stopping = undefined;
    this.endPause?.();
    await this.running;
  }

  /** Reports that rows were committed. It is cheap: all calls before the next look have one effect. */
  wake(): void {
    this.woken = true;
    this.endPause?.();
  }

  private async run(signal: AbortSignal): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        this.woken = false;
        const taken = await this.options.outbox.drain(BATCH, (jobs) => this.publish(jobs));
        pauseMs = FIRST_PAUSE_MS;
        if (taken === 0 && !signal.aborted) await this.pause();
        else if (taken < BATCH) await sleep(SPACING_MS);
      } catch (error) {
        this.onError(error as Error);
        // `wake` does not shorten this pause. Under load, that would be a tight loop against a failing server.
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
      }
    }
  }

  private async publish(jobs: OutboxJob[]): Promise<void> {
    const timer = new AbortController();
    const late = sleep(PUBLISH_LIMIT_MS, undefined, { signal: timer.signal }).then(() => {
      throw new Error('The queue did not take the jobs in time.');
    });
    const added = this.options.queue.addAll(coalesce(jobs).map(toNewJob));
    try {
      await Promise.race([added, late]);
    } finally {
      timer.abort();
      // Nothing else handles the rejection of the promise that loses the race.
      late.catch(() => undefined);
      added.catch(() => undefined);
    }
  }

  /** Waits until the next poll or call of `wake`, whichever is first. */
  private async pause(): Promise<void> {
    if (this.woken || this.stopping === undefined) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.endPause?.(), POLL_MS);
      this.endPause = () => {
        clearTimeout(timer);
        this.endPause = undefined;
        resolve();
      };
    });
  }
}

function toNewJob(job: OutboxJob) {
  return {
    id: `o-${job.id}`,
    topic: job.topic,
    payload: job.payload,
    runAt: job.runAt ?? undefined,
    priority: job.priority,
  };
}
