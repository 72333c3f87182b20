import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isDatabaseAway } from '../../../src/core/common/database-away.js';
import { createPool } from '../../../src/store/connection/pools.js';
import { inTransaction } from '../../../src/store/connection/transaction.js';
import { silentLog } from '../../support/log.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { type SilentGate, silentGate } from '../../support/silent-gate.js';
import { waitFor } from '../../support/wait-for.js';

const SILENCE_MS = 100;

let database: TestDatabase;
let gate: SilentGate;
let pool: Pool;

beforeEach(async () => {
  database = await testDatabase({ empty: true });
  gate = await silentGate(String(database.connection.host));
  const server = { ...database.connection, host: '127.0.0.1', port: gate.port };
  pool = createPool({ ...server, max: 2, connectionTimeoutMillis: 500 }, silentLog, SILENCE_MS);
});

afterEach(async () => {
  await gate.close();
  await pool.end();
  await database.drop();
});

const ended = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isDatabaseAway(error) ? 'away' : error),
  );

it('a pool fails statements whose connections were cut silently, and opens new connections in their place', async () => {
  const holder = await database.pool.connect();
  await holder.query('SELECT pg_advisory_lock(1)');
  const inside = ended(inTransaction(pool, (client) => client.query('SELECT pg_advisory_xact_lock(1)')));
  await waitFor(async () => {
    const { rows } = await holder.query(
      `SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`,
    );
    expect(rows).toHaveLength(1);
  });
  gate.cutSilently();
  // The statement's result is sent into the cut connection and is lost.
  await holder.query('SELECT pg_advisory_unlock(1)');
  holder.release();
  expect(await inside).toBe('away');
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  expect(pool.totalCount).toBe(1);
});

it('a pool detects at the next statement that an idle connection was cut silently', async () => {
  await pool.query('SELECT 1');
  gate.cutSilently();
  expect(await ended(pool.query('SELECT 1'))).toBe('away');
  expect(await ended(pool.query('SELECT 1'))).toBe('done');
});

it('a pool does not interrupt a statement that runs for a long time or waits for a lock', async () => {
  const [holder, waiter] = [await pool.connect(), await pool.connect()];
  await holder.query('CREATE TABLE things ()');
  await holder.query('BEGIN; LOCK TABLE things');
  const waiting = ended(waiter.query('SELECT FROM things'));
  expect(await ended(holder.query(`SELECT pg_sleep(${(8 * SILENCE_MS) / 1_000})`))).toBe('done');
  await holder.query('COMMIT');
  expect(await waiting).toBe('done');
  for (const client of [holder, waiter]) client.release();
});

it('a pool does not close a connection that has no running statement', async () => {
  const taken = await pool.connect();
  await database.pool.query(`SELECT pg_sleep(${(3 * SILENCE_MS) / 1_000})`);
  expect(await ended(taken.query('SELECT 1'))).toBe('done');
  taken.release();
});

it('a pool also fails a statement when the server can no longer be reached', async () => {
  const running = ended(pool.query('SELECT pg_sleep(5)'));
  await waitFor(() => expect(pool.totalCount - pool.idleCount).toBe(1));
  await waitFor(async () => {
    const { rows } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(5)' AND state = 'active'`,
    );
    expect(rows).toHaveLength(1);
  });
  gate.cutSilently();
  gate.refuse();
  expect(await running).toBe('away');
});
