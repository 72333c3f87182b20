import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConversationRecord, conversationList } from '../../../src/core/conversations/record.js';
import { PostgresConversations } from '../../../src/store/conversations/conversations.js';
import { SearchIndexer } from '../../../src/store/listing/search-indexer.js';
import { bridgeStage } from '../../support/bridge.js';
import { comparePages } from '../../support/list-pages.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const COUNT = 70;
const SIZE = 7;
/** Most have no title, some are deleted, and several began at the same time. */
const FILL = `
  UPDATE conversations SET title = CASE WHEN n = 9 THEN 'Zanzibar, ÄRGER' WHEN n % 3 = 0 THEN 'Chat at ' || n END,
    metadata = CASE WHEN n % 5 = 0 THEN jsonb_build_object('tier', n % 7) ELSE '{}' END,
    labels = CASE WHEN n % 4 = 0 THEN ARRAY['vip', 'l' || n % 8] ELSE '{}' END,
    deleted_at = CASE WHEN n % 31 = 5 THEN now() END, created_at = now() - interval '1 day' + (n / 3) * interval '5 min'
  FROM unnest($1::uuid[]) WITH ORDINALITY AS c (chosen, n) WHERE id = chosen`;

let database: TestDatabase;
let stage: Awaited<ReturnType<typeof bridgeStage>>;
let store: PostgresConversations;
let batches: SearchIndexer;

beforeAll(async () => {
  database = await testDatabase();
  store = new PostgresConversations(database.pool);
});
afterAll(() => database.drop());

beforeEach(async () => {
  stage = await bridgeStage(database.pool);
  const made: string[] = [];
  for (let n = 0; n < COUNT; n += 1) made.push(await stage.conversation());
  await database.pool.query(FILL, [made]);
  await stage.link(made[10] ?? '', await stage.connection('telegram'), 'chat');
  await database.pool.query(
    `INSERT INTO list_progress (workspace_id, made_at) VALUES ($1, now() - interval '2 days')`,
    [stage.workspaceId],
  );
  batches = new SearchIndexer(database.pool, SIZE);
  await tell();
});

async function tell(): Promise<void> {
  while ((await batches.run()) > 0);
}

const filters = [
  'title:~"at 6"',
  'title:~CHAT',
  'title:"Chat at 27"',
  'title:~ärger',
  'title:~nowhere',
  'title:null',
  '-title:null',
  'title:~zanzibar|"chat at 3"',
  '-title:~chat',
  'metadata.tier:3',
  'metadata.tier:5,title:~chat',
  'label:vip',
  'label:l4|nothing',
  '-label:vip',
  'label:none',
  'platform:telegram',
  '-platform:telegram',
  'platform:line',
  'platform:line|telegram',
];

async function compare(filter: string): Promise<void> {
  const { rows } = await database.pool.query<{ record: ConversationRecord }>(
    'SELECT conversation_record(conversations, NULL) AS record FROM conversations WHERE workspace_id = $1 AND deleted_at IS NULL',
    [stage.workspaceId],
  );
  // With the names that filters use.
  const records = rows.map(({ record }) => ({ ...record, label: record.labels, platform: record.platforms }));
  await comparePages(records, conversationList, filter, async (wanted) => {
    const page = await store.list(stage.scope, stage.memberId, wanted);
    return { ...page, items: page.items.map((item) => ({ ...item, label: [], platform: [] })) };
  });
}

const idOf = async (title: string): Promise<string> =>
  (
    await database.pool.query('SELECT id FROM conversations WHERE workspace_id = $1 AND title = $2', [
      stage.workspaceId,
      title,
    ])
  ).rows[0].id;

describe('a search for conversations', () => {
  it.each(filters)('finds the same conversations as a full scan: %s', compare);

  it('reads only batches that may contain the title', async () => {
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS told, sum(cardinality(grams)) > 0 AS something FROM list_portions
       WHERE workspace_id = $1 AND list = 'conversations'`,
      [stage.workspaceId],
    );
    expect(rows[0].told).toBeGreaterThan(5);
    expect(rows[0].something).toBe(true);
  });

  it('finds renamed and new ones, and no deleted ones', async () => {
    await store.change(stage.scope, await idOf('Chat at 12'), stage.memberId, { title: 'Zanzibar at last' });
    await store.delete(stage.scope, await idOf('Zanzibar, ÄRGER'), stage.memberId);
    await database.pool.query('UPDATE conversations SET title = $2 WHERE id = $1', [
      await stage.conversation(),
      'Zanzibar again',
    ]);
    for (const filter of ['title:~zanzibar', 'title:~"at last"', 'title:~"at 12"']) await compare(filter);
    await tell();
    for (const filter of ['title:~zanzibar', 'title:~"at last"', 'title:~"at 12"']) await compare(filter);
  });

  it('finds changed labels', async () => {
    const id = await idOf('Chat at 12');
    for (const labels of [['vip', 'urgent', 'vip'], ['urgent'], [], ['none']]) {
      await store.change(stage.scope, id, stage.memberId, { labels });
      for (const filter of ['label:vip', 'label:urgent', 'label:l4', '-label:none']) await compare(filter);
    }
  });
});
