import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readFilters } from '../../../src/core/listing/filter.js';
import { listInMemory } from '../../../src/core/listing/list-in-memory.js';
import type { ListPage, ListQuery } from '../../../src/core/listing/list-spec.js';
import { deliveryList, type MessageRecord, messageList } from '../../../src/core/messages/record.js';
import { PostgresConversations } from '../../../src/store/conversations/conversations.js';
import { SearchIndexer } from '../../../src/store/listing/search-indexer.js';
import { Trigrams } from '../../../src/store/listing/trigrams.js';
import { bridgeStage } from '../../support/bridge.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const COUNT = 160;
const SIZE = 7;
/** Several messages with the same time, rare words, letters of other alphabets, and texts too short for the search. */
const FILL = `
  INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status, metadata,
    created_at, updated_at, deleted_at)
  SELECT uuid7(), $1, CASE WHEN n % 4 = 0 THEN $3::uuid ELSE $2::uuid END, 1, $4,
    CASE WHEN n = 9 THEN 'Zanzibar, ÄRGER und ΣΊΣΥΦΟΣ' WHEN n % 40 = 3 THEN 'a 100% _sure_ zanzibar ' || n WHEN n % 23 = 0 THEN 'ok'
      ELSE 'Order ' || n || ' has left our warehouse 🚚' END,
    'internal', 'sent', CASE n % 6 WHEN 1 THEN jsonb_build_object('order', n, 'note', 'Fragile') WHEN 2 THEN '{"tier":{"name":"Gold"}}'
      WHEN 3 THEN '{"order":null}' ELSE '{}' END,
    t, t, CASE WHEN n % 31 = 5 THEN now() END
  FROM generate_series(1, $5::int) n, LATERAL (SELECT now() - interval '1 day' + (n / 3) * interval '5 min' AS t) x`;
const DELIVER = `
  INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform, external_chat_id, status, created_at)
  SELECT workspace_id, id, conversation_id, uuid7(), uuid7(), 'sms', 'chat', 'sent', created_at FROM messages
  WHERE workspace_id = $1 AND (text LIKE '%zanzibar%' OR deleted_at IS NOT NULL)`;

const COUNT_BATCHES = `
  SELECT (SELECT count(*)::int FROM find_list_batches($1, 'messages', $2)) AS found, count(*)::int AS all
  FROM list_portions WHERE workspace_id = $1 AND list = 'messages'`;

let database: TestDatabase;
let stage: Awaited<ReturnType<typeof bridgeStage>>;
let conversations: string[];
let batches: SearchIndexer;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  stage = await bridgeStage(database.pool);
  conversations = [await stage.conversation(), await stage.conversation()];
  await database.pool.query(FILL, [stage.workspaceId, ...conversations, stage.memberId, COUNT]);
  await database.pool.query(DELIVER, [stage.workspaceId]);
  await database.pool.query(
    `INSERT INTO list_progress (workspace_id, made_at) VALUES ($1, now() - interval '2 days')`,
    [stage.workspaceId],
  );
  batches = new SearchIndexer(database.pool, SIZE, 2 * SIZE);
  await tell();
});

/** Indexes and counts all settled messages. */
async function tell(): Promise<void> {
  while ((await batches.run()) > 0);
}

const query = (filter: string, more: Partial<ListQuery> = {}): ListQuery => ({
  filter: filter === '' ? [] : readFilters([filter], messageList),
  sort: 'created_at',
  order: 'desc',
  limit: 9,
  at: { mode: 'first' },
  count: true,
  ...more,
});
const list = (wanted: ListQuery, id?: string) => stage.messages.list(stage.scope, id, wanted);
const ids = (page: ListPage<MessageRecord>) => page.items.map(({ id }) => id);

async function all(): Promise<MessageRecord[]> {
  const { rows } = await database.pool.query<{ record: MessageRecord }>(
    'SELECT message_record(messages) AS record FROM messages WHERE workspace_id = $1 AND deleted_at IS NULL',
    [stage.workspaceId],
  );
  return rows.map(({ record }) => record);
}

async function walk(wanted: ListQuery, between: () => Promise<unknown> = async () => undefined) {
  const found: string[] = [];
  let at: ListQuery['at'] = { mode: 'first' };
  for (;;) {
    const page = await list({ ...wanted, at, count: false });
    found.push(...ids(page));
    if (!page.hasNext || page.lastKey === null) return found;
    at = { mode: 'after', key: page.lastKey, inclusive: false };
    await between();
  }
}

const filters = [
  'text:~zanzibar',
  'text:~ZANZIBAR',
  'text:~warehouse',
  'text:~"100% _sure_"',
  'text:~ärger',
  'text:~"ΣΊΣΥΦΟΣ"',
  'text:~"our warehouse 🚚"',
  'text:"Order 17 has left our warehouse 🚚"',
  'text:"order 17 has left our warehouse 🚚"',
  'text:ok',
  'text:~nowhere',
  'text:~zanzibar|nowhere|"order 5"',
  '-text:~warehouse',
  'text:~warehouse,metadata.note:Fragile',
  'metadata.order:31',
  'metadata.order:31|37|nothing',
  'metadata.order:~103',
  'metadata.note:~RAGI',
  'metadata.note:fragile',
  'metadata.tier:~gold',
  '-metadata.tier:null',
  'metadata.order:null',
  'text:~zanzibar,metadata.order:31|null',
];

/** Pages by cursor in both directions, numbered pages, and totals match a scan of all records. */
async function compare(filter: string): Promise<void> {
  const records = await all();
  for (const order of ['asc', 'desc'] as const) {
    const wanted = query(filter, { order });
    const expected = ids(listInMemory(records, messageList, { ...wanted, limit: 1_000 }));
    expect([filter, order, await walk(wanted)]).toEqual([filter, order, expected]);
    const second = await list({ ...wanted, at: { mode: 'offset', page: 2 } });
    expect([filter, ids(second), second.total]).toEqual([filter, expected.slice(9, 18), expected.length]);
    const last = records.find(({ id }) => id === expected[10]);
    if (last === undefined) continue;
    const key = [last.created_at, last.id] as const;
    const back = await list({ ...wanted, at: { mode: 'before', key, inclusive: false } });
    expect([filter, ids(back)]).toEqual([filter, expected.slice(1, 10)]);
  }
}

describe('a search in texts and metadata', () => {
  it.each(filters)('finds the same messages as a full scan: %s', compare);

  it('reads only batches that may contain the text', async () => {
    const wanted = new Trigrams(stage.workspaceId, 'messages').part('text', 'sure_ zanzibar').hashes;
    const { rows } = await database.pool.query(COUNT_BATCHES, [stage.workspaceId, wanted]);
    expect(rows[0].found).toBeGreaterThan(0);
    expect(rows[0].found).toBeLessThanOrEqual(COUNT / 40);
    expect(rows[0].all).toBeGreaterThan(COUNT / SIZE / 2);
  });

  it('finds an edited text, at once and after it was indexed', async () => {
    const records = await all();
    for (const [n, change] of [
      [3, { text: 'A xylophone' }],
      [70, { metadata: { order: 'xylophone' } }],
      [90, { text: 'ok' }],
    ] as const) {
      await stage.messages.edit(stage.scope, records[n]?.id ?? '', change as never);
    }
    const edited = async () => {
      for (const filter of ['text:~xylophone', 'metadata.order:xylophone', 'metadata.order:~XYLO', 'text:ok'])
        await compare(filter);
    };
    await edited();
    expect(await staleOnes()).toBeGreaterThan(0);
    await tell();
    expect(await staleOnes()).toBe(0);
    await edited();
  });

  it('finds later messages, and no deleted or purged ones', async () => {
    for (const text of ['A new zanzibar', 'Nothing new']) await stage.send(conversations[0] ?? '', text);
    const [first, second, third] = (await all()).filter(({ text }) => text.includes('zanzibar'));
    await stage.messages.delete(stage.scope, first?.id ?? '', stage.memberId);
    await database.pool.query('SELECT purge_messages($1)', [[second?.id, third?.id]]);
    await compare('text:~zanzibar');
    await tell();
    await compare('text:~zanzibar');
  });

  it('finds messages from after the clock was set back', async () => {
    await database.pool.query(
      `UPDATE list_progress SET messages_until = now() + interval '1 hour', counted_until = now() + interval '1 hour'
       WHERE workspace_id = $1`,
      [stage.workspaceId],
    );
    await stage.send(conversations[0] ?? '', 'A xylophone');
    expect((await list(query('text:~xylophone'))).items).toEqual([]);
    await tell();
    for (const filter of ['text:~xylophone', 'text:~zanzibar', `conversation_id:${conversations[0]}`])
      await compare(filter);
  });

  it('keeps nothing of purged messages', async () => {
    const old = (await all()).filter(({ text }) => !text.includes('zanzibar')).map(({ id }) => id);
    await database.pool.query('SELECT purge_messages($1)', [old]);
    await database.pool.query(
      'SELECT purge_messages(ARRAY(SELECT id FROM messages WHERE deleted_at IS NOT NULL))',
    );
    await tell();
    const gone = new Trigrams(stage.workspaceId, 'messages').part('text', 'warehouse').hashes;
    const { rows } = await database.pool.query(COUNT_BATCHES, [stage.workspaceId, gone]);
    expect(rows[0].found).toBe(0);
    expect(rows[0].all).toBeLessThanOrEqual((await all()).length);
    await compare('text:~zanzibar');
  });

  it('returns each remaining message exactly once while messages are added, changed and deleted', async () => {
    const before = await all();
    let round = 0;
    const found = await walk(query('text:~warehouse'), async () => {
      round += 1;
      await stage.send(conversations[1] ?? '', 'From the warehouse');
      const [edited, deleted, purged] = [round * 7, round * 11, round * 13].map(
        (n) => before[n % before.length]?.id ?? '',
      );
      await stage.messages
        .edit(stage.scope, edited ?? '', { text: `Edited, in the warehouse ${round}` })
        .catch(() => undefined);
      await stage.messages.delete(stage.scope, deleted ?? '', stage.memberId).catch(() => undefined);
      await database.pool.query('SELECT purge_messages($1)', [[purged]]);
      await batches.run();
    });
    const stayed = new Set((await all()).map(({ id }) => id));
    const there = before.filter(({ id, text }) => stayed.has(id) && text.includes('warehouse'));
    const expected = ids(listInMemory(there, messageList, { ...query(''), limit: 1_000 }));
    const known = new Set(expected);
    expect(found.filter((id) => known.has(id))).toEqual(expected);
    expect(round).toBeGreaterThan(5);
  });
});

async function staleOnes(): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM list_portions WHERE workspace_id = $1 AND stale',
    [stage.workspaceId],
  );
  return rows[0]?.n ?? 0;
}

describe('a stored total', () => {
  const deliveries = async () =>
    (
      await stage.messages.listDeliveries(stage.scope, {
        ...query(''),
        filter: readFilters([], deliveryList),
      })
    ).total;

  async function compareTotals(): Promise<void> {
    const records = await all();
    for (const id of conversations) {
      const there = records.filter(({ conversation_id: chat }) => chat === id).length;
      expect((await list(query(''), id)).total).toBe(there);
      expect((await list(query(`conversation_id:${id}`))).total).toBe(there);
    }
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS n FROM deliveries d JOIN messages m ON m.id = d.message_id
       WHERE d.workspace_id = $1 AND m.deleted_at IS NULL`,
      [stage.workspaceId],
    );
    expect(await deliveries()).toBe(rows[0].n);
    const chats = await database.pool.query(
      'SELECT count(*)::int AS n FROM conversations WHERE workspace_id = $1 AND deleted_at IS NULL',
      [stage.workspaceId],
    );
    const page = await new PostgresConversations(database.pool).list(stage.scope, stage.memberId, query(''));
    expect(page.total).toBe(chats.rows[0].n);
  }

  it('is right while messages are added, deleted and purged', async () => {
    await compareTotals();
    const records = await all();
    const chosen = records.filter(({ text }, n) => n % 9 === 4 || text.includes('zanzibar'));
    for (const { id } of chosen.slice(0, 8)) await stage.messages.delete(stage.scope, id, stage.memberId);
    await stage.send(conversations[0] ?? '', 'new');
    await compareTotals();
    const purged = chosen.slice(4, 12).map(({ id }) => id);
    await database.pool.query('SELECT purge_messages($1)', [purged]);
    await compareTotals();
    await tell();
    await compareTotals();
  });

  it('is right while conversations are added and deleted', async () => {
    const store = new PostgresConversations(database.pool);
    await database.pool.query(
      `UPDATE conversations SET created_at = now() - interval '20 hours' WHERE id = ANY ($1)`,
      [conversations],
    );
    const [deleted = ''] = conversations.splice(1, 1);
    const before = [await stage.conversation(), deleted];
    await store.delete(stage.scope, before[0] ?? '', stage.memberId);
    await database.pool.query(
      `UPDATE list_progress SET counted_until = '-infinity', deliveries = 0, conversations = 0 WHERE workspace_id = $1`,
      [stage.workspaceId],
    );
    await database.pool.query('DELETE FROM message_totals WHERE workspace_id = $1', [stage.workspaceId]);
    await tell();
    await compareTotals();
    await store.delete(stage.scope, deleted, stage.memberId);
    await compareTotals();
    await stage.conversation();
    await compareTotals();
  });

  it('is right when messages are purged while they are counted', async () => {
    await database.pool.query(
      'UPDATE list_progress SET counted_until = $2, deliveries = 0, conversations = 0 WHERE workspace_id = $1',
      [stage.workspaceId, '-infinity'],
    );
    await database.pool.query('DELETE FROM message_totals WHERE workspace_id = $1', [stage.workspaceId]);
    const old = (await all()).slice(0, 40).map(({ id }) => id);
    await Promise.all([tell(), ...old.map((id) => database.pool.query('SELECT purge_messages($1)', [[id]]))]);
    await compareTotals();
    await tell();
    await compareTotals();
  });
});
