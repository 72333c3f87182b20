import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFilters } from '../../../src/core/listing/filter.js';
import { listInMemory } from '../../../src/core/listing/list-in-memory.js';
import type { ListKey, ListPage, ListQuery } from '../../../src/core/listing/list-spec.js';
import { type MessageRecord, messageList } from '../../../src/core/messages/record.js';
import { bridgeStage } from '../../support/bridge.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const COUNT = 150;
const LIMIT = 11;
/** Some rows have an hour to themselves, others share one. Some were changed long after their creation. */
const FILL = `
  INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status, platform, send_at,
    created_at, updated_at, deleted_at)
  SELECT uuid7(), $1, $2, 1, $3, 'm' || n, CASE n % 3 WHEN 0 THEN 'inbound' WHEN 1 THEN 'outbound' ELSE 'internal' END,
    CASE WHEN n % 13 = 5 THEN 'failed' WHEN n % 17 = 6 THEN 'canceled' WHEN n % 19 = 8 THEN 'queued' WHEN n % 3 = 0 THEN 'received' ELSE 'sent' END,
    CASE WHEN n % 50 = 4 THEN 'sms' WHEN n % 3 < 2 THEN 'telegram' END, CASE WHEN n % 4 = 0 THEN t + interval '1 day' END,
    t, t + CASE n % 5 WHEN 0 THEN interval '2 days' WHEN 1 THEN interval '9 min' WHEN 2 THEN interval '10 min' ELSE interval '0' END,
    CASE WHEN n % 29 = 3 THEN now() END
  FROM generate_series(1, $4::int) n, LATERAL (
    SELECT timestamptz '2026-01-01T00:00:00Z' + (n / 4) * interval '17 min' + CASE WHEN n > 100 THEN interval '9 days' ELSE interval '0' END
      AS t) x`;

let database: TestDatabase;
let stage: Awaited<ReturnType<typeof bridgeStage>>;
let conversation: string;

beforeAll(async () => {
  database = await testDatabase();
  stage = await bridgeStage(database.pool);
  conversation = await stage.conversation();
  await database.pool.query(FILL, [stage.workspaceId, conversation, stage.memberId, COUNT]);
  // Some of the counts are folded, others are not.
  await database.pool.query('SELECT count_insights(7)');
  await database.pool.query(`UPDATE messages SET status = 'blocked' WHERE text IN ('m7', 'm140')`);
});
afterAll(() => database.drop());

const query = (more: Partial<ListQuery> = {}): ListQuery => ({
  filter: [],
  sort: 'created_at',
  order: 'desc',
  limit: LIMIT,
  at: { mode: 'first' },
  count: true,
  ...more,
});
const list = (wanted: ListQuery, id?: string) => stage.messages.list(stage.scope, id, wanted);
const names = (page: ListPage<MessageRecord>) => page.items.map(({ text }) => text);

/** All pages from the first to the last, and the reported total. */
async function walk(wanted: ListQuery, between: () => Promise<unknown> = async () => undefined) {
  const pages: string[][] = [];
  const befores: ListKey[] = [];
  let at: ListQuery['at'] = { mode: 'first' };
  let total: number | null = null;
  for (;;) {
    const page = await list({ ...wanted, at });
    pages.push(names(page));
    total ??= page.total;
    expect(page.hasPrevious).toBe(pages.length > 1);
    if (page.firstKey !== null) befores.push(page.firstKey);
    if (!page.hasNext || page.lastKey === null) return { pages, befores, total };
    at = { mode: 'after', key: page.lastKey, inclusive: false };
    await between();
  }
}

async function all(): Promise<MessageRecord[]> {
  const { rows } = await database.pool.query<{ record: MessageRecord }>(
    'SELECT message_record(messages) AS record FROM messages WHERE workspace_id = $1 AND deleted_at IS NULL',
    [stage.workspaceId],
  );
  return rows.map(({ record }) => record);
}

const filters = [
  '',
  'status:failed',
  'status:blocked',
  'status:expired',
  '-status:sent',
  'status:failed|canceled|expired',
  'status:failed|queued',
  '-status:sent|delivered|read|received',
  '-status:sent|received|failed,direction:outbound',
  'platform:sms|null',
  'direction:internal,status:sent',
  'status:failed|blocked,text:~m14',
  'platform:telegram,created_at:>=2026-01-05T00:00:00Z',
  'updated_at:>=2026-01-03T00:00:00Z',
  'updated_at:>2026-01-01T08:00:00Z,updated_at:<=2026-01-13T09:00:00Z',
  '-updated_at:<2026-01-10T10:00:00Z',
];

describe('a list of messages', () => {
  describe.each(['created_at', 'updated_at', 'send_at'])('by %s', (sort) => {
    it.each(filters)(
      'contains the matches of "%s" in order, both ways, with their number',
      async (filter) => {
        const records = await all();
        for (const order of ['asc', 'desc'] as const) {
          const wanted = query({
            sort,
            order,
            filter: filter === '' ? [] : readFilters([filter], messageList),
          });
          const expected = listInMemory(records, messageList, { ...wanted, limit: 1_000 });
          const { pages, befores, total } = await walk(wanted);
          expect([filter, order, pages.flat()]).toEqual([
            filter,
            order,
            expected.items.map(({ text }) => text),
          ]);
          expect(total).toBe(expected.items.length);
          const middle = Math.floor(pages.length / 2);
          const key = befores[middle];
          if (middle === 0 || key === undefined) continue;
          const back = await list({ ...wanted, at: { mode: 'before', key, inclusive: false } });
          expect(names(back)).toEqual(pages[middle - 1]);
          expect([back.hasPrevious, back.hasNext]).toEqual([middle > 1, true]);
        }
      },
    );
  });

  it('of one conversation has its own count', async () => {
    const empty = await stage.conversation();
    expect((await list(query(), empty)).total).toBe(0);
    expect((await list(query(), conversation)).total).toBe((await all()).length);
  });
});

describe('while messages are written and deleted', () => {
  const counted = { filter: readFilters(['status:sent|failed|received'], messageList) };
  it.each([
    ['created_at', 'desc', {}],
    ['created_at', 'asc', counted],
    ['updated_at', 'asc', {}],
    ['updated_at', 'desc', counted],
    ['send_at', 'desc', {}],
  ] as const)(
    'by %s %s, paging returns each remaining message exactly once and in order',
    async (sort, order, more) => {
      const wanted = query({ sort, order, ...more });
      const before = await all();
      let round = 0;
      const { pages } = await walk({ ...wanted, limit: 19 }, async () => {
        round += 1;
        // One message is written at a random time, and an earlier one is deleted.
        await database.pool.query(
          `INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status, created_at, updated_at)
         SELECT $1, $2, $3, 1, $4, 'new', 'internal', 'sent', t, t
         FROM (SELECT timestamptz '2026-01-01T00:00:00Z' + random() * interval '10 days' AS t) x`,
          [uuidv7(), stage.workspaceId, conversation, stage.memberId],
        );
        await database.pool.query('UPDATE messages SET deleted_at = now() WHERE id = $1', [
          before[(round * 31) % before.length]?.id,
        ]);
        await database.pool.query('SELECT count_insights(5)');
      });
      const stayed = new Set((await all()).map(({ id }) => id));
      const there = before.filter(({ id }) => stayed.has(id));
      const expected = listInMemory(there, messageList, { ...wanted, limit: 1_000 }).items.map(
        ({ text }) => text,
      );
      const names = new Set(expected);
      expect(pages.flat().filter((name) => names.has(name) && name !== 'new')).toEqual(
        expected.filter((name) => name !== 'new'),
      );
      expect(round).toBeGreaterThan(3);
    },
  );
});
