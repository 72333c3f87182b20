import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPool } from '../../../src/store/connection/pools.js';
import { memberRole, openReaders, readIn } from '../../../src/store/connection/workspace-reads.js';
import { silentLog } from '../../support/log.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { waitFor } from '../../support/wait-for.js';

const CONNECTIONS = 8;
const HELD = 7_001;

let database: TestDatabase;
let stopReading: () => Promise<void>;

beforeAll(async () => {
  database = await testDatabase();
  const options = { ...database.connection, options: `-c role=${memberRole}`, max: CONNECTIONS };
  stopReading = await openReaders(database.pool, () => createPool(options, silentLog), silentLog);
});
afterAll(async () => {
  await stopReading?.();
  await database?.drop();
});

it('slow reads of one workspace leave connections for the reads of another', async () => {
  const [greedy, neighbour] = [randomUUID(), randomUUID()];
  const holder = await database.pool.connect();
  await holder.query('SELECT pg_advisory_lock($1)', [HELD]);
  const read = (workspace: string, text: string) =>
    readIn<{ one: number }>(database.pool, workspace, { text });
  const slow = Array.from({ length: 3 * CONNECTIONS }, () =>
    read(greedy, `SELECT pg_advisory_xact_lock_shared(${HELD})`).catch((error: Error) => error),
  );
  const waiting = async () => {
    const { rows } = await holder.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
    );
    return rows[0]?.n ?? 0;
  };
  await waitFor(async () => expect(await waiting()).toBeGreaterThan(1));
  const { rows } = await read(neighbour, 'SELECT 1 AS one');
  expect(rows).toEqual([{ one: 1 }]);
  expect(await waiting()).toBeLessThan(CONNECTIONS);
  await holder.query('SELECT pg_advisory_unlock($1)', [HELD]);
  holder.release();
  // Reads that got no connection in time are refused, so that the client repeats them.
  for (const result of await Promise.all(slow))
    if (result instanceof Error) expect(result).toMatchObject({ details: { reason: 'backlog' } });
});
