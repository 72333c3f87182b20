import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { conversationList } from '../../../src/core/conversations/record.js';
import { readFilters } from '../../../src/core/listing/filter.js';
import type { ListKey, ListQuery } from '../../../src/core/listing/list-spec.js';
import { createPool } from '../../../src/store/connection/pools.js';
import { PostgresConversations } from '../../../src/store/conversations/conversations.js';
import { bridgeStage } from '../../support/bridge.js';
import { silentLog } from '../../support/log.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const COUNT = 20_000;
/** A year of conversations; some were changed a month after they began. */
const FILL = `
  INSERT INTO conversations (id, workspace_id, number, type, title, created_by, created_at, last_message_at, updated_at)
  SELECT uuid7(), $1, 100 + n, 'direct', 'c' || n, $2, t, CASE WHEN n % 2 = 0 THEN t + interval '1 minute' END,
    t + CASE WHEN n % 40 = 0 THEN interval '30 days' ELSE interval '1 minute' END
  FROM generate_series(1, $3::int) n, LATERAL (SELECT timestamptz '2025-01-01T00:00:00Z' + n * interval '24 minutes' AS t) x`;

let database: TestDatabase;
let reader: Pool;
let stage: Awaited<ReturnType<typeof bridgeStage>>;

beforeAll(async () => {
  database = await testDatabase();
  reader = createPool({ ...database.connection, options: '-c random_page_cost=1.1', max: 1 }, silentLog);
  stage = await bridgeStage(reader);
  await reader.query(FILL, [stage.workspaceId, stage.memberId, COUNT]);
  await reader.query('ANALYZE conversations');
});

/** The middle of the list of conversations by their last message. Only every other conversation has a message. */
async function halfway(order: 'asc' | 'desc'): Promise<ListKey> {
  const [key] = await values<ListKey>(
    reader,
    `SELECT json_build_array(last_message_at, id) FROM conversations WHERE last_message_at IS NOT NULL
     ORDER BY last_message_at ${order}, id ${order} LIMIT 1 OFFSET ${COUNT / 4}`,
  );
  if (key === undefined) throw new Error('There are no conversations with messages.');
  return key;
}

afterAll(async () => {
  await reader.end();
  await database.drop();
});

async function rowsRead(): Promise<number> {
  await reader.query('SELECT pg_stat_force_next_flush()');
  const [rows = 0] = await values<number>(
    reader,
    `SELECT sum(seq_tup_read + idx_tup_fetch)::int FROM pg_stat_user_tables WHERE relname = 'conversations'`,
  );
  return rows;
}

/** The first titles, and the number of rows of conversations that were read for them. */
async function read(more: Partial<ListQuery>, filter = '') {
  const query: ListQuery = {
    filter: filter === '' ? [] : readFilters([filter], conversationList),
    sort: 'created_at',
    order: 'desc',
    limit: 20,
    at: { mode: 'first' },
    count: false,
    ...more,
  };
  const before = await rowsRead();
  const { items } = await new PostgresConversations(reader).list(stage.scope, stage.memberId, query);
  return { titles: items.map(({ title }) => title), rows: (await rowsRead()) - before };
}

/** The same result from the simplest statement. */
const expected = (where: string, order: string) =>
  values<string>(
    reader,
    `SELECT title FROM conversations WHERE ${where} AND deleted_at IS NULL ORDER BY ${order} LIMIT 20`,
  );

it.each([
  ['desc', ''],
  ['asc', ''],
  ['asc', '2025-10-01T00:00:00Z'],
  ['desc', '2025-10-01T00:00:00Z'],
  ['asc', '2025-12-29T20:00:00Z'],
] as const)(
  'a list of conversations by updated_at, %s since "%s", reads only its page',
  async (order, since) => {
    const { titles, rows } = await read(
      { sort: 'updated_at', order },
      since === '' ? '' : `updated_at:>=${since}`,
    );
    expect(titles).toEqual(
      await expected(since === '' ? 'true' : `updated_at >= '${since}'`, `updated_at ${order}, id ${order}`),
    );
    expect(titles).not.toHaveLength(0);
    expect(rows).toBeLessThan(400);
  },
);

it('a list of the few conversations changed since a time reads only those in any order', async () => {
  const since = '2025-12-25T00:00:00Z';
  const { titles, rows } = await read({}, `updated_at:>=${since}`);
  expect(titles).toEqual(await expected(`updated_at >= '${since}'`, 'created_at DESC, id DESC'));
  expect(titles.length).toBeGreaterThan(5);
  expect(titles.length).toBeLessThan(20);
  expect(rows).toBeLessThan(400);
});

it.each(['desc', 'asc'] as const)(
  'a list of conversations changed since a time, by created_at %s, reads only its page',
  async (order) => {
    const since = '2025-10-01T00:00:00Z';
    const { titles, rows } = await read({ order }, `updated_at:>=${since}`);
    expect(titles).toEqual(await expected(`updated_at >= '${since}'`, `created_at ${order}, id ${order}`));
    expect(rows).toBeLessThan(400);
  },
);

it.each([
  ['desc', 'after', '<'],
  ['desc', 'before', '>'],
  ['asc', 'after', '>'],
  ['asc', 'before', '<'],
] as const)(
  'a page in the middle of a sort order reads only its own rows although half of the conversations have no value: %s, %s a cursor',
  async (order, mode, sign) => {
    const key = await halfway(order);
    const { titles, rows } = await read({
      sort: 'last_message_at',
      order,
      at: { mode, key, inclusive: false },
    });
    const way = sign === '<' ? 'desc' : 'asc';
    const there = await expected(
      `(last_message_at, id) ${sign} ('${key[0]}', '${key[1]}')`,
      `last_message_at ${way}, id ${way}`,
    );
    expect(titles).toEqual(mode === 'after' ? there : there.reverse());
    expect(titles).toHaveLength(20);
    expect(rows).toBeLessThan(400);
  },
);
