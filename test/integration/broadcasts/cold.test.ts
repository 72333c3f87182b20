import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '../../../src/store/pools.js';
import { addresses, broadcastStage } from '../../support/broadcast-stage.js';
import { silentLog } from '../../support/log.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const ROUNDS = 4;
const PER_ROUND = 250;

let database: TestDatabase;
let worker: Pool;

beforeEach(async () => {
  database = await testDatabase();
  // Plans are kept by connection: with one, all of them are made while the tables are empty.
  worker = createPool({ ...database.connection, max: 1 }, silentLog);
  const tables = await values<string>(
    worker,
    `SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  for (const table of tables) await worker.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
});

afterEach(async () => {
  await worker.end();
  await database.drop();
});

/** Rows that were looked at so far, in all tables. */
async function rowsRead(): Promise<number> {
  await worker.query('SELECT pg_stat_force_next_flush()');
  const [rows = 0] = await values<number>(
    worker,
    'SELECT sum(seq_tup_read + idx_tup_fetch)::int FROM pg_stat_user_tables',
  );
  return rows;
}

describe('the first broadcast of a database reads as many rows for the last recipients as for the first ones', () => {
  it.each([true, false])('where somebody hears of it: %s', async (heard) => {
    const stage = await broadcastStage(worker);
    if (!heard) await worker.query('DELETE FROM event_interest');
    const connection = await stage.connection('alpha');
    const { run, platform } = stage.deliverer();
    const id = await stage.create({ audience: { recipients: addresses('alpha', ROUNDS * PER_ROUND) } });
    await stage.step(id);
    const reads: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await rowsRead();
      await stage.work.sendChunk(id, PER_ROUND);
      await run(connection);
      reads.push((await rowsRead()) - before);
    }
    expect(platform.calls).toHaveLength(ROUNDS * PER_ROUND);
    // Whoever looks once at all there is of a table sees more in each round by what the one before has written.
    const [first = 0] = reads;
    expect(reads.at(-1)).toBeLessThan(first + PER_ROUND);
  });
});
