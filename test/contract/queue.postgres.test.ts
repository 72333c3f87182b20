import type { EventEmitter } from 'node:events';
import type { PgPool } from 'bullmq';
import { expect, it } from 'vitest';
import { openPostgresQueue, QUEUE_LISTENERS } from '../../src/queue/postgres-backend.js';
import { recordingLog } from '../support/log.js';
import { testDatabase } from '../support/postgres.js';
import { waitFor } from '../support/wait-for.js';
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

it('the queue continues after all its connections were cut, without a flood of errors', async () => {
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
    await waitFor(() => expect(ids).toEqual(['before']));
    await database.cutConnections();
    await waitFor(() => add('after'));
    await waitFor(() => expect(ids).toEqual(['before', 'after']));
    expect(log.lines.length).toBeLessThan(20);
  } finally {
    await queue.close(0);
    await database.drop();
  }
});

it('the queue continues when the connection of a worker dies just as it starts to listen', async () => {
  const database = await testDatabase();
  const pool = database.openQueuePool(QUEUE_LISTENERS);
  const queue = await openPostgresQueue({ pool: dyingListeners(pool), log: recordingLog() });
  try {
    const ids: string[] = [];
    queue.work('deliver', { concurrency: 5 }, async ({ id = '' }) => {
      ids.push(id);
    });
    // Until the worker waits on the second connection, whose loss went unnoticed.
    await waitFor(() => expect(deaths.get(pool)).toBe(2));
    await queue.addAll([{ id: 'after', topic: 'deliver', payload: { id: 'after' } }]);
    await waitFor(() => expect(ids).toEqual(['after']));
  } finally {
    await queue.close(0);
    await database.drop();
  }
});

const deaths = new WeakMap<object, number>();

/** The pool. Its first listening connection fails at LISTEN, and its second is lost while the answer is read. */
function dyingListeners(pool: PgPool): PgPool {
  deaths.set(pool, 0);
  const death = new Error('terminating connection due to administrator command');
  const dieOf = (client: object): void => {
    const count = (deaths.get(pool) ?? 0) + 1;
    deaths.set(pool, count);
    if (count === 1) throw death;
    if (count === 2) (client as EventEmitter).emit('error', death);
  };
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    Object.assign(client, {
      query: (...given: unknown[]) => {
        const answer = query(...given);
        if (typeof given[0] !== 'string' || !/^LISTEN bullmq_jobs/m.test(given[0])) return answer;
        return (answer as Promise<unknown>).then(() => dieOf(client));
      },
    });
  });
  return pool;
}
