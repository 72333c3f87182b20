import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Outbox, OutboxJob } from '../../src/core/common/outbox.js';
import type { JobQueue } from '../../src/queue/job-queue.js';
import { OutboxRelay } from '../../src/queue/relay.js';
import { PostgresOutbox } from '../../src/store/events/outbox.js';
import { recordingLog } from '../support/log.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { waitFor } from '../support/wait-for.js';

/** What the relay guarantees on any queue. `open` gives an empty queue for each test. */
export function relayContract(open: () => Promise<JobQueue>): void {
  describe('the outbox relay', () => {
    let database: TestDatabase;
    let outbox: PostgresOutbox;
    let relays: OutboxRelay[];

    beforeEach(async () => {
      database = await testDatabase({ empty: true });
      await database.pool.query(`CREATE TABLE outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, topic text NOT NULL, payload jsonb NOT NULL,
        run_at timestamptz, priority integer NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())`);
      outbox = new PostgresOutbox(database.pool);
      relays = [];
    });

    afterEach(async () => {
      await Promise.all(relays.map((relay) => relay.stop()));
      await database.drop();
    });

    function startRelay(queue: Pick<JobQueue, 'addAll'>, source: Outbox = outbox): OutboxRelay {
      const relay = new OutboxRelay({ outbox: source, queue, log: recordingLog() });
      relays.push(relay);
      relay.start();
      return relay;
    }

    const insertRows = (count: number) =>
      database.pool.query(
        `INSERT INTO outbox (topic, payload) SELECT 'deliver', jsonb_build_object('id', n::text) FROM generate_series(1, $1) n`,
        [count],
      );

    const rowsLeft = async () => (await database.pool.query('SELECT FROM outbox')).rowCount;

    it('publishes each committed row once, also with two relays', async () => {
      const queue = await open();
      const ids: string[] = [];
      queue.work('deliver', { concurrency: 10 }, async ({ id = '' }) => {
        ids.push(id);
      });
      startRelay(queue);
      const relay = startRelay(queue);
      await insertRows(1_200);
      relay.wake();
      await waitFor(() => expect(ids.length).toBe(1_200));
      expect(new Set(ids).size).toBe(1_200);
      expect(await rowsLeft()).toBe(0);
    });

    it('loses no row when publishing fails, before or after the queue accepted the jobs', async () => {
      const queue = await open();
      const ids = new Set<string>();
      queue.work('deliver', { concurrency: 10 }, async ({ id = '' }) => {
        ids.add(id);
      });
      let calls = 0;
      const relay = startRelay({
        addAll: async (jobs) => {
          calls += 1;
          if (calls === 1) throw new Error('queue is away');
          await queue.addAll(jobs);
          if (calls === 2) throw new Error('answer got lost');
        },
      });
      await insertRows(30);
      relay.wake();
      await waitFor(() => expect(ids.size).toBe(30));
      await waitFor(async () => expect(await rowsLeft()).toBe(0));
    });

    it('continues after its database connections were cut', async () => {
      const queue = await open();
      const ids: string[] = [];
      queue.work('deliver', { concurrency: 10 }, async ({ id = '' }) => {
        ids.push(id);
      });
      startRelay(queue);
      await database.cutConnections();
      await waitFor(() => insertRows(5));
      await waitFor(() => expect(ids.toSorted()).toEqual(['1', '2', '3', '4', '5']));
    });

    it('leaves rows of unknown topics in the outbox, and passes on time and priority', async () => {
      const runAt = new Date('2030-01-01T00:00:00Z');
      await database.pool.query(
        `INSERT INTO outbox (topic, payload, run_at, priority) VALUES ('from-the-future', '{}', null, 0), ('timer', '{"id":"7"}', $1, 4)`,
        [runAt],
      );
      const published: OutboxJob[] = [];
      const taken = await outbox.drain(10, async (jobs) => {
        published.push(...jobs);
      });
      expect(taken).toBe(1);
      expect(published).toEqual([{ id: '2', topic: 'timer', payload: { id: '7' }, runAt, priority: 4 }]);
      expect(await rowsLeft()).toBe(1);
    });

    it('can be started and stopped any number of times', async () => {
      const queue = await open();
      const relay = startRelay(queue);
      relay.start();
      await relay.stop();
      await relay.stop();
      relay.start();
      await insertRows(1);
      relay.wake();
      await waitFor(async () => expect(await rowsLeft()).toBe(0));
    });
  });
}
