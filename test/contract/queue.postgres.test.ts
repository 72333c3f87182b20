import { expect, it, vi } from 'vitest';
import { openPostgresQueue, QUEUE_LISTENERS } from '../../src/queue/postgres-backend.js';
import { recordingLog } from '../support/log.js';
import { testDatabase } from '../support/postgres.js';
import { queueContract } from './queue-contract.js';

queueContract('PostgreSQL', {
  async freshStore() {
    const database = await testDatabase({ empty: true });
    return {
      open: (options) => openPostgresQueue({ pool: database.openQueuePool(QUEUE_LISTENERS), ...options }),
      address: ['postgres', database.url],
      close: () => database.drop(),
    };
  },
});

it('goes on when all connections of the queue were cut, without a swarm of errors', async () => {
  const database = await testDatabase();
  const log = recordingLog();
  const queue = await openPostgresQueue({ pool: database.openQueuePool(QUEUE_LISTENERS), log });
  try {
    const ids: string[] = [];
    queue.work('deliver', { concurrency: 5 }, async ({ id = '' }) => {
      ids.push(id);
    });
    const add = (id: string) => queue.addAll([{ id, topic: 'deliver', payload: { id } }]);
    await add('before');
    await vi.waitFor(() => expect(ids).toEqual(['before']), 5_000);
    await database.cutConnections();
    await vi.waitFor(() => add('after'), 5_000);
    await vi.waitFor(() => expect(ids).toEqual(['before', 'after']), 10_000);
    expect(log.lines.length).toBeLessThan(20);
  } finally {
    await queue.close(0);
    await database.drop();
  }
});
