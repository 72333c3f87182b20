import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JobHandler, JobQueue, NewJob } from '../../../src/queue/job-queue.js';
import { LocalFirstQueue } from '../../../src/queue/local-first-queue.js';
import { recordingLog } from '../../support/log.js';
import { waitFor } from '../../support/wait-for.js';

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
  const local = new LocalFirstQueue(queue, log);
  const done: string[] = [];
  const work = (handler: JobHandler, options: { concurrency?: number; mine?: string } = {}) =>
    local.work(
      'deliver',
      {
        concurrency: options.concurrency ?? 10,
        canRunLocally: ({ connection_id: id }) => id === (options.mine ?? 'a'),
      },
      handler,
    );
  const note: JobHandler = async ({ connection_id: id }) => void done.push(id ?? '');
  return { local, added, log, done, work, note };
}

/** A handler that ends when the test lets it end. */
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
  test('runs here at once, and is not added to the queue', async () => {
    const { local, added, done, work, note } = stage();
    work(note);
    await local.addAll([job]);
    expect([done, added]).toEqual([['a'], []]);
    await local.close();
  });

  test('goes to the queue if it is for later, for another process, for a topic without a local worker, or above the limit', async () => {
    const { local, added, done, work } = stage();
    const { handler, calls, end } = lasting();
    work(handler, { concurrency: 1 });
    const remote: NewJob[] = [
      { ...job, runAt: new Date() },
      { ...job, payload: { connection_id: 'b' } },
      { ...job, topic: 'event', payload: { events: '1' } },
    ];
    await local.addAll([...remote, job, job]);
    expect(added).toEqual([...remote, job]);
    expect([calls(), done]).toEqual([1, []]);
    end();
    await local.close();
  });

  test('is offered to other processes as well when it runs for long', async () => {
    const { local, added, work } = stage();
    const { handler, end } = lasting();
    work(handler);
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await local.addAll([job]);
    vi.advanceTimersByTime(249);
    await local.addAll([job]);
    expect(added).toEqual([]);
    vi.advanceTimersByTime(1);
    await local.addAll([job]);
    await local.addAll([job]);
    expect(added).toEqual([job]);
    end();
    await local.close();
  });

  test('ends when it fails: the owner of the rows adds a new one', async () => {
    const { local, added, log, work } = stage();
    work(() => Promise.reject(new Error('Broken.')));
    await local.addAll([job]);
    expect(log.lines.map(({ event }) => event)).toEqual(['job.failed']);
    expect(added).toEqual([]);
    await local.close();
  });
});

describe('A offer', () => {
  test('runs once with equal concurrent hints, and is ignored if this process does not do the work', async () => {
    const { local, added, done, work, note } = stage();
    local.offer('deliver', payload);
    work(note);
    local.offer('deliver', payload);
    local.offer('deliver', payload);
    local.offer('deliver', { connection_id: 'b' });
    await waitFor(() => expect(done).toEqual(['a']));
    await local.close();
    local.offer('deliver', payload);
    await new Promise(setImmediate);
    expect([done, added]).toEqual([['a'], []]);
  });
});

describe('Closing', () => {
  test('leaves jobs that arrive after the notice to other processes', async () => {
    const { local, added, done, work, note } = stage();
    work(note);
    local.stopAccepting();
    await local.addAll([job]);
    expect([done, added]).toEqual([[], [job]]);
    await local.close();
  });

  test('waits for running jobs, and starts no new ones', async () => {
    const { local, added, work } = stage();
    const { handler, signals, end } = lasting();
    work(handler);
    await local.addAll([job]);
    let closed = false;
    const closing = local.close().then(() => {
      closed = true;
    });
    await local.addAll([job]);
    expect([closed, added, signals[0]?.aborted]).toEqual([false, [job], false]);
    end();
    await closing;
  });

  test('aborts jobs that still run after its time limit', async () => {
    const { local, work } = stage();
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
    await local.addAll([job]);
    await local.close(10);
    expect(stopped).toHaveBeenCalledOnce();
  });
});
