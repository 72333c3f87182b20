import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobQueue, NewJob, QueueTiming } from '../../src/queue/job-queue.js';
import { runChild } from '../support/child.js';
import { type RecordedLine, recordingLog } from '../support/log.js';
import { waitFor } from '../support/wait-for.js';
import { relayContract } from './relay-contract.js';

type OpenOptions = QueueTiming & { log: ReturnType<typeof recordingLog> };

/** An empty store for jobs. */
interface QueueStore {
  /** Each call simulates one more process on the same jobs. */
  open(options: OpenOptions): Promise<JobQueue>;
  /** How test/support/queue-victim.ts opens it: the kind of backend and its address. */
  address: [kind: 'postgres' | 'redis', url: string];
  close(): Promise<void>;
}

export interface QueueHarness {
  freshStore(): Promise<QueueStore>;
}

const job = (id: string, more: Partial<NewJob> = {}): NewJob => ({
  id,
  topic: 'deliver',
  payload: { id },
  ...more,
});

/** The requirements that every queue backend must meet. */
export function queueContract(name: string, harness: QueueHarness): void {
  describe(`the queue on ${name}`, () => {
    let store: QueueStore;
    let open: (timing?: QueueTiming) => Promise<JobQueue>;
    let opened: JobQueue[];
    let logged: RecordedLine[];

    beforeEach(async () => {
      store = await harness.freshStore();
      opened = [];
      const log = recordingLog();
      logged = log.lines;
      open = async (timing = {}) => {
        const queue = await store.open({ log, ...timing });
        opened.push(queue);
        return queue;
      };
    });

    afterEach(async () => {
      await Promise.all(opened.map((queue) => queue.close(0)));
      await store.close();
    });

    /** Runs the jobs of `deliver` and notes their ids in the order of their start. */
    function record(queue: JobQueue, concurrency = 10): string[] {
      const ids: string[] = [];
      queue.work('deliver', { concurrency }, async ({ id = '' }) => {
        ids.push(id);
      });
      return ids;
    }

    it('runs a job with its payload', async () => {
      const queue = await open();
      const payloads: Record<string, string>[] = [];
      queue.work('webhook', { concurrency: 1 }, async (payload) => {
        payloads.push(payload);
      });
      await queue.addAll([{ id: 'o-1', topic: 'webhook', payload: { deliveryId: 'd1', workspaceId: 'w1' } }]);
      await waitFor(() => expect(payloads).toEqual([{ deliveryId: 'd1', workspaceId: 'w1' }]));
    });

    it('runs jobs that were added before the first worker', async () => {
      const queue = await open();
      await queue.addAll([job('a'), job('b')]);
      const ids = record(await open());
      await waitFor(() => expect(ids.toSorted()).toEqual(['a', 'b']));
    });

    it('runs each of many jobs of mixed topics once', async () => {
      const queue = await open();
      const delivered = record(queue);
      const timers: string[] = [];
      queue.work('timer', { concurrency: 10 }, async ({ id = '' }) => {
        timers.push(id);
      });
      const jobs = Array.from({ length: 1_000 }, (_, n) => job(`j${n}`, n % 2 ? { topic: 'timer' } : {}));
      await queue.addAll(jobs);
      await waitFor(() => expect(delivered.length + timers.length).toBe(1_000));
      expect(new Set([...delivered, ...timers]).size).toBe(1_000);
      expect(timers).toHaveLength(500);
    });

    it('runs a job no earlier than its scheduled time', async () => {
      const queue = await open();
      const ranAt = new Map<string, number>();
      queue.work('deliver', { concurrency: 10 }, async ({ id = '' }) => {
        ranAt.set(id, Date.now());
      });
      const runAt = new Date(Date.now() + 700);
      await queue.addAll([job('later', { runAt }), job('now'), job('past', { runAt: new Date(0) })]);
      await waitFor(() => expect([...ranAt.keys()].toSorted()).toEqual(['later', 'now', 'past']));
      expect(ranAt.get('now')).toBeLessThan(runAt.getTime());
      expect(ranAt.get('past')).toBeLessThan(runAt.getTime());
      expect(ranAt.get('later')).toBeGreaterThanOrEqual(runAt.getTime() - 5);
      expect(ranAt.get('later')).toBeLessThan(runAt.getTime() + 1_500);
    });

    it('runs jobs of a smaller priority number first', async () => {
      const queue = await open();
      await queue.addAll([job('slow', { priority: 9 }), job('middle', { priority: 3 }), job('first')]);
      const ids = record(queue, 1);
      await waitFor(() => expect(ids).toEqual(['first', 'middle', 'slow']));
    });

    it('runs as many handlers at once as requested, and no more', async () => {
      const queue = await open();
      let running = 0;
      let peak = 0;
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      queue.work('deliver', { concurrency: 3 }, async () => {
        running += 1;
        peak = Math.max(peak, running);
        await gate;
        running -= 1;
      });
      let finished = 0;
      queue.work('timer', { concurrency: 1 }, async () => {
        finished += 1;
      });
      await queue.addAll(Array.from({ length: 9 }, (_, n) => job(`c${n}`)));
      await waitFor(() => expect(running).toBe(3));
      // A job of another topic makes its way past the full one.
      await queue.addAll([job('t', { topic: 'timer' })]);
      await waitFor(() => expect(finished).toBe(1));
      release();
      await queue.close();
      expect(peak).toBe(3);
    });

    it('ignores a job whose id is already queued, and accepts the id again afterwards', async () => {
      const queue = await open();
      await queue.addAll([job('twin')]);
      await queue.addAll([job('twin')]);
      await queue.addAll([job('twin'), job('other')]);
      const ids = record(queue, 1);
      await waitFor(() => expect(ids).toContain('other'));
      expect(ids.filter((id) => id === 'twin')).toHaveLength(1);
      await waitFor(async () => {
        // It is not added again after it ran: the next poll would find a third run.
        if (ids.filter((id) => id === 'twin').length < 2) await queue.addAll([job('twin')]);
        expect(ids.filter((id) => id === 'twin')).toHaveLength(2);
      });
    });

    it('logs a failing handler, does not repeat it, frees its id and continues', async () => {
      const queue = await open();
      let runs = 0;
      queue.work('deliver', { concurrency: 1 }, async () => {
        runs += 1;
        if (runs === 1) throw new Error('handler broke');
      });
      await queue.addAll([job('broken')]);
      await waitFor(() => expect(logged.filter(({ event }) => event === 'job.failed')).toHaveLength(1));
      await waitFor(async () => {
        if (runs < 2) await queue.addAll([job('broken')]);
        expect(runs).toBe(2);
      });
      expect(logged.filter(({ event }) => event === 'job.failed')).toHaveLength(1);
    });

    it('closes at once when no handler runs', async () => {
      const queue = await open();
      record(queue);
      await queue.addAll([job('x')]);
      const startedAt = Date.now();
      await queue.close();
      expect(Date.now() - startedAt).toBeLessThan(1_500);
    });

    it('lets a running handler finish before it closes', async () => {
      const queue = await open();
      let release = (): void => undefined;
      let finished = false;
      const started = new Promise<void>((resolve) => {
        queue.work('deliver', { concurrency: 1 }, async () => {
          resolve();
          await new Promise<void>((done) => {
            release = done;
          });
          finished = true;
        });
      });
      await queue.addAll([job('slow')]);
      await started;
      const closed = queue.close();
      release();
      await closed;
      expect(finished).toBe(true);
    });

    it('aborts the signal of a handler that outlasts the grace period', async () => {
      const queue = await open();
      let aborted = false;
      const started = new Promise<void>((resolve) => {
        queue.work('deliver', { concurrency: 1 }, async (_payload, { signal }) => {
          resolve();
          await once(signal, 'abort');
          aborted = true;
        });
      });
      await queue.addAll([job('stuck')]);
      await started;
      await queue.close(50);
      expect(aborted).toBe(true);
    });

    it('runs the job of a killed worker again', async () => {
      const victim = await runChild('test/support/queue-victim.ts', store.address);
      await victim.line((line) => line === 'ready');
      const queue = await open({ lockMs: 1_000, stalledCheckMs: 500 });
      await queue.addAll([job('survivor')]);
      await victim.line((line) => line === 'started survivor');
      await victim.kill();
      const ids = record(queue);
      await waitFor(() => expect(ids).toEqual(['survivor']));
    });

    relayContract(() => open());
  });
}
