import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let stage: BridgeStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = await bridgeStage(database.pool);
});
afterAll(() => database.drop());

/** The columns of each index of a table. Only the primary key stays unique. */
const indexesOf = (table: string) =>
  values<string>(
    database.pool,
    `SELECT substring(pg_get_indexdef(indexrelid) from '\\(.*') || CASE WHEN indisprimary THEN ' primary' ELSE '' END
     FROM pg_index WHERE indrelid = $1::regclass ORDER BY 1`,
    [table],
  );

it('the scripts of docs/partitions.md create tables with the same indexes while messages continue', async () => {
  const connection = await stage.connection('sms');
  const { message } = await stage.post(connection, '+49111', 'Hello', { kind: 'direct' });
  const tables = ['attempts', 'events'];
  const before = await Promise.all(tables.map(indexesOf));
  const page = readFileSync('docs/partitions.md', 'utf8');
  const scripts = [...page.matchAll(/```sql\n(.*?)```/gs)].map(([, script = '']) => script);
  expect(scripts).toHaveLength(tables.length);
  for (const script of scripts) await database.pool.query(script);
  expect(await values(database.pool, "SELECT relname FROM pg_class WHERE relkind = 'p' ORDER BY 1")).toEqual(
    tables,
  );
  expect(await Promise.all(tables.map(indexesOf))).toEqual(before);
  const later = await stage.send(message?.conversation_id ?? '', 'Later');
  expect((await stage.claimOne(connection)).message.id).toBe(later.id);
});
