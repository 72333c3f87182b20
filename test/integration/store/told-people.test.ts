import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type BroadcastRecipientRecord,
  broadcastRecipientList,
} from '../../../src/core/broadcasts/record.js';
import { readFilters } from '../../../src/core/listing/filter.js';
import { listInMemory } from '../../../src/core/listing/list-in-memory.js';
import type { ListPage, ListQuery, ListSpec } from '../../../src/core/listing/list-spec.js';
import { type UserRecord, userList } from '../../../src/core/users/record.js';
import { ListPortions } from '../../../src/store/list-portions.js';
import { listRecipients } from '../../../src/store/recipients.js';
import { PostgresUsers } from '../../../src/store/users.js';
import { makeMember } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const COUNT = 90;
/** As an import writes them: many at one time. */
const FILL = `
  INSERT INTO users (id, workspace_id, kind, username, display_name, email, phone, metadata, created_at, updated_at, deleted_at)
  SELECT uuid7(), $1, 'contact', 'person.' || n, CASE WHEN n % 40 = 8 THEN 'Zoë Ångström ' || n ELSE 'Person ' || n END,
    CASE WHEN n % 3 = 0 THEN 'p' || n || '@example.com' ELSE '' END, CASE WHEN n % 4 = 0 THEN '+4930' || (10000 + n) END,
    CASE WHEN n % 5 = 0 THEN jsonb_build_object('tier', n % 7) ELSE '{}' END, t, t, CASE WHEN n % 31 = 5 THEN now() END
  FROM generate_series(1, $2::int) n, LATERAL (SELECT now() - interval '1 day' + (n / 12) * interval '5 min' AS t) x`;

let database: TestDatabase;
let workspaceId: string;
let users: PostgresUsers;
let portions: ListPortions;

beforeAll(async () => {
  database = await testDatabase();
  users = new PostgresUsers(database.pool);
});
afterAll(() => database.drop());

beforeEach(async () => {
  workspaceId = uuidv7();
  await database.pool.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'People')`, [workspaceId]);
  await database.pool.query(FILL, [workspaceId, COUNT]);
  await database.pool.query(
    `INSERT INTO list_progress (workspace_id, made_at) VALUES ($1, now() - interval '2 days')`,
    [workspaceId],
  );
  portions = new ListPortions(database.pool, 7);
  await tell();
});

async function tell(): Promise<void> {
  while ((await portions.run()) > 0);
}

function query(spec: ListSpec, filter: string, more: Partial<ListQuery> = {}): ListQuery {
  const read = filter === '' ? [] : readFilters([filter], spec);
  return {
    filter: read,
    sort: 'created_at',
    order: 'desc',
    limit: 6,
    at: { mode: 'first' },
    count: true,
    ...more,
  };
}

/** Pages by cursor and numbered ones, in both orders, are what a look at every record says. */
async function compare<Item extends { readonly id: string }>(
  records: readonly Item[],
  spec: ListSpec,
  filter: string,
  list: (query: ListQuery) => Promise<ListPage<Item>>,
): Promise<void> {
  const ids = (items: readonly Item[]) => items.map(({ id }) => id);
  for (const order of ['asc', 'desc'] as const) {
    const wanted = query(spec, filter, { order });
    const expected = ids(listInMemory(records, spec, { ...wanted, limit: 1_000 }).items);
    const found: string[] = [];
    let at: ListQuery['at'] | undefined = { mode: 'first' };
    while (at !== undefined) {
      const page: ListPage<Item> = await list({ ...wanted, at });
      expect([filter, page.total]).toEqual([filter, expected.length]);
      found.push(...ids(page.items));
      at =
        page.hasNext && page.lastKey !== null
          ? { mode: 'after', key: page.lastKey, inclusive: false }
          : undefined;
    }
    expect([filter, order, found]).toEqual([filter, order, expected]);
    const second = await list({ ...wanted, at: { mode: 'offset', page: 2 } });
    expect([filter, ids(second.items)]).toEqual([filter, expected.slice(6, 12)]);
  }
}

async function compareUsers(...filters: readonly string[]): Promise<void> {
  const { rows } = await database.pool.query<{ record: UserRecord }>(
    'SELECT user_record(users) AS record FROM users WHERE workspace_id = $1 AND deleted_at IS NULL',
    [workspaceId],
  );
  const records = rows.map(({ record }) => record);
  for (const filter of filters)
    await compare(records, userList, filter, (wanted) => users.list(workspaceId, wanted));
}

const idOf = async (username: string) =>
  (
    await database.pool.query('SELECT id FROM users WHERE workspace_id = $1 AND username = $2', [
      workspaceId,
      username,
    ])
  ).rows[0].id as string;

describe('a search for people', () => {
  it.each([
    '',
    'username:~son.7',
    'username:person.77',
    'display_name:~ångström',
    'display_name:"Zoë Ångström 8"',
    'display_name:~nobody',
    'email:~p33@',
    'email:""',
    'phone:~1004',
    'phone:null',
    'metadata.tier:3',
    'metadata.tier:none',
    '-metadata.tier:null',
    'username:~son.1|"son.8",metadata.tier:1',
  ])('finds what a look at everybody finds: %s', (filter) => compareUsers(filter));

  it('finds who was renamed, came, and went', async () => {
    await users.change(workspaceId, await idOf('person.20'), {
      display_name: 'Quetzal',
      metadata: { tier: 'rare' },
    });
    await users.delete(workspaceId, await idOf('person.48'));
    await makeMember(database.pool, workspaceId, 'new.ångström');
    const filters = [
      '',
      'display_name:~quetz',
      'display_name:~ångström',
      'metadata.tier:rare',
      'display_name:~person',
    ];
    await compareUsers(...filters);
    await tell();
    await compareUsers(...filters);
  });
});

describe('recipients of a broadcast', () => {
  it.each([
    'status:failed',
    'status:failed|expired',
    'status:failed|sent',
    '-status:sent',
    'skip_reason:no_route',
    'status:skipped',
  ])('are found by what few come to: %s', async (filter) => {
    const broadcastId = uuidv7();
    await database.pool.query(
      `INSERT INTO broadcast_recipients (workspace_id, broadcast_id, user_id, status, skip_reason)
         SELECT $1, $2, id, s, CASE WHEN s = 'skipped' THEN (ARRAY['no_route', 'blocked'])[n % 2 + 1] END
         FROM (SELECT id, n, (ARRAY['sent', 'queued', 'failed', 'skipped', 'expired', 'sent', 'sent'])[n % 7 + 1] AS s
           FROM (SELECT id, row_number() OVER () AS n FROM users WHERE workspace_id = $1) u) x`,
      [workspaceId, broadcastId],
    );
    await database.pool.query(`UPDATE broadcast_recipients SET status = 'failed' WHERE status = 'queued'`);
    const { rows } = await database.pool.query<{ record: BroadcastRecipientRecord }>(
      'SELECT broadcast_recipient_record(r) AS record FROM broadcast_recipients r WHERE broadcast_id = $1',
      [broadcastId],
    );
    await compare(
      rows.map(({ record }) => record),
      broadcastRecipientList,
      filter,
      (wanted) => listRecipients(database.pool, workspaceId, broadcastId, wanted),
    );
  });
});
