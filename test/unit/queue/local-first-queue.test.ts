import { describe, expect, test, vi } from 'vitest';
import type { JobHandler, JobQueue, NewJob } from '../../../src/queue/job-queue.js';
import { LocalFirstQueue } from '../../../src/queue/local-first-queue.js';
import { recordingLog } from '../../support/log.js';

const payload = { connection_id: 'a' };
const job: NewJob = { id: 'o-1', topic: 'deliver', payload };

function stage() {
  const added: NewJob[] = [];
  const queue: JobQueue = {
    addAll: async (jobs) => void added.push(...jobs),
    work: () => undefined,
    ping: async () => undefined,
    counts: async () => [],
    close: async () => undefined,
  };
  const log = recordingLog();
  const near = new LocalFirstQueue(queue, log);
  const done: string[] = [];
  const work = (handler: JobHandler, options: { concurrency?: number; mine?: string } = {}) =>
    near.work(
      'deliver',
      {
        concurrency: options.concurrency ?? 10,
        near: ({ connection_id: id }) => id === (options.mine ?? 'a'),
      },
      handler,
    );
  const note: JobHandler = async ({ connection_id: id }) => void done.push(id ?? '');
  return { near, added, log, done, work, note };
}

/** A handler that ends when it is told to. */
function lasting() {
  let calls = 0;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const signals: AbortSignal[] = [];
  const handler: JobHandler = async (_, { signal }) => {
    calls += 1;
    signals.push(signal);
    await ended;
  };
  return { handler, signals, calls: () => calls, end: () => end() };
}

describe('A job that this process can do', () => {
  test('is done here at once, and is no job of the queue', async () => {
    const { near, added, done, work, note } = stage();
    work(note);
    await near.addAll([job]);
    expect([done, added]).toEqual([['a'], []]);
    await near.close();
  });

  test('goes to the queue if it is for later, for another process, for a topic without a local worker, or above the limit', async () => {
    const { near, added, done, work } = stage();
    const { handler, calls, end } = lasting();
    work(handler, { concurrency: 1 });
    const far: NewJob[] = [
      { ...job, runAt: new Date() },
      { ...job, payload: { connection_id: 'b' } },
      { ...job, topic: 'event', payload: { events: '1' } },
    ];
    await near.addAll([...far, job, job]);
    expect(added).toEqual([...far, job]);
    expect([calls(), done]).toEqual([1, []]);
    end();
    await near.close();
  });

  test('is offered to other processes as well when it runs for long', async () => {
    const { near, added, work } = stage();
    const { handler, end } = lasting();
    work(handler);
    await near.addAll([job]);
    await vi.waitFor(async () => {
      await near.addAll([job]);
      expect(added).toEqual([job]);
    });
    await near.addAll([job]);
    expect(added).toEqual([job]);
    end();
    await near.close();
  });

  test('ends when it fails: the owner of the rows adds a new one', async () => {
    const { near, added, log, work } = stage();
    work(() => Promise.reject(new Error('Broken.')));
    await near.addAll([job]);
    expect(log.lines.map(({ event }) => event)).toEqual(['job.failed']);
    expect(added).toEqual([]);
    await near.close();
  });
});

describe('A hint', () => {
  test('makes one run of all that are given at once, and none where the work is not done', async () => {
    const { near, added, done, work, note } = stage();
    near.hint('deliver', payload);
    work(note);
    near.hint('deliver', payload);
    near.hint('deliver', payload);
    near.hint('deliver', { connection_id: 'b' });
    await vi.waitFor(() => expect(done).toEqual(['a']));
    await near.close();
    near.hint('deliver', payload);
    await new Promise(setImmediate);
    expect([done, added]).toEqual([['a'], []]);
  });
});

describe('Closing', () => {
  test('leaves what comes after the notice to others', async () => {
    const { near, added, done, work, note } = stage();
    work(note);
    near.retire();
    await near.addAll([job]);
    expect([done, added]).toEqual([[], [job]]);
    await near.close();
  });

  test('waits for what is being done, and takes nothing more', async () => {
    const { near, added, work } = stage();
    const { handler, signals, end } = lasting();
    work(handler);
    await near.addAll([job]);
    let closed = false;
    const closing = near.close().then(() => {
      closed = true;
    });
    await near.addAll([job]);
    expect([closed, added, signals[0]?.aborted]).toEqual([false, [job], false]);
    end();
    await closing;
  });

  test('tells what goes on after its time to stop', async () => {
    const { near, work } = stage();
    const stopped = vi.fn();
    work(
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stopped();
            resolve();
          });
        }),
    );
    await near.addAll([job]);
    await near.close(10);
    expect(stopped).toHaveBeenCalledOnce();
  });
});
