import { afterAll, beforeAll, expect, it } from 'vitest';
import { callAdHoc, callFunction } from '../../../src/store/functions.js';
import { createPool } from '../../../src/store/pools.js';
import { silentLog } from '../../support/log.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase({ empty: true });
});
afterAll(async () => {
  await database.drop();
});

it('keeps each statement prepared on its connection, under the name of what it calls, and nothing of one that varies', async () => {
  const pool = createPool({ ...database.connection, max: 1 }, silentLog);
  try {
    for (const value of [1, 2, 3]) await callFunction(pool, 'The sum', 'SELECT abs($1) AS sum', [value]);
    await callFunction(pool, 'The sign', 'SELECT sign($1) AS sign', [-1]);
    await callAdHoc(pool, 'The root', 'SELECT sqrt($1) AS root', [4]);
    const { rows } = await pool.query(
      `SELECT regexp_replace(name, ' \\d+$', '') AS called, generic_plans + custom_plans AS calls
       FROM pg_prepared_statements ORDER BY prepare_time`,
    );
    expect(rows).toEqual([
      { called: 'abs', calls: '3' },
      { called: 'sign', calls: '1' },
    ]);
  } finally {
    await pool.end();
  }
});
