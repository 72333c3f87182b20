import { describe, expect, test } from 'vitest';
import type { JobQueue, NewJob } from '../../../src/queue/job-queue.js';
import { ReconnectingQueue } from '../../../src/queue/reconnecting-queue.js';
import { recordingLog } from '../../support/log.js';
import { waitFor } from '../../support/wait-for.js';

const job: NewJob = { id: 'o-1', topic: 'deliver', payload: { connection_id: 'a' } };

function scripted(failures: number) {
  const worked: string[] = [];
  const added: NewJob[] = [];
  const queue: JobQueue = {
    addAll: async (jobs) => {
      added.push(...jobs);
    },
    work: (topic) => worked.push(topic),
    ping: async () => undefined,
    counts: async () => [],
    close: async () => undefined,
  };
  let tries = 0;
  const open = async () => {
    tries += 1;
    if (tries <= failures) throw new Error("Can't reach Redis. Start it.");
    return queue;
  };
  return { open, worked, added };
}

describe('A queue whose server is unavailable at the start', () => {
  test('logs this once, and lets the service start', async () => {
    const log = recordingLog();
    const late = new ReconnectingQueue(scripted(1).open, log);
    await late.start();
    expect(log.lines.filter((line) => line.event === 'queue.unreachable')).toHaveLength(1);
    await expect(late.addAll([job])).rejects.toThrow('not reachable yet');
    await late.close();
  });

  test('starts the registered workers once it is connected', async () => {
    const { open, worked, added } = scripted(2);
    const late = new ReconnectingQueue(open, recordingLog(), 10);
    await late.start();
    late.work('deliver', { concurrency: 1 }, async () => undefined);
    expect(worked).toEqual([]);
    await waitFor(() => expect(worked).toEqual(['deliver']));
    await late.addAll([job]);
    expect(added).toEqual([job]);
    await late.close();
  });
});
