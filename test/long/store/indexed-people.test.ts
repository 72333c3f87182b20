import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import {
  type BroadcastRecipientRecord,
  broadcastRecipientList,
} from '../../../src/core/broadcasts/record.js';
import { type UserRecord, userList } from '../../../src/core/users/record.js';
import { listRecipients } from '../../../src/store/broadcasts/recipients.js';
import { SearchIndexer } from '../../../src/store/listing/search-indexer.js';
import { PostgresUsers } from '../../../src/store/people/users.js';
import { comparePages } from '../../support/list-pages.js';
import { makeMember } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const COUNT = 90;
/** As an import writes them: many with the same time. */
const FILL = `
  INSERT INTO users (id, workspace_id, kind, username, display_name, email, phone, metadata, created_at, updated_at, deleted_at)
  SELECT uuid7(), $1, 'contact', 'person.' || n, CASE WHEN n % 40 = 8 THEN 'Zoë Ångström ' || n ELSE 'Person ' || n END,
    CASE WHEN n % 3 = 0 THEN 'p' || n || '@example.com' ELSE '' END, CASE WHEN n % 4 = 0 THEN '+4930' || (10000 + n) END,
    CASE WHEN n % 5 = 0 THEN jsonb_build_object('tier', n % 7) ELSE '{}' END, t, t, CASE WHEN n % 31 = 5 THEN now() END
  FROM generate_series(1, $2::int) n, LATERAL (SELECT now() - interval '1 day' + (n / 12) * interval '5 min' AS t) x`;

let database: TestDatabase;
let workspaceId: string;
let users: PostgresUsers;
let batches: SearchIndexer;

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
  batches = new SearchIndexer(database.pool, 7);
  await tell();
});

async function tell(): Promise<void> {
  while ((await batches.run()) > 0);
}

async function compareUsers(...filters: readonly string[]): Promise<void> {
  const { rows } = await database.pool.query<{ record: UserRecord }>(
    'SELECT user_record(users) AS record FROM users WHERE workspace_id = $1 AND deleted_at IS NULL',
    [workspaceId],
  );
  const records = rows.map(({ record }) => record);
  for (const filter of filters)
    await comparePages(records, userList, filter, (wanted) => users.list(workspaceId, wanted));
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
  ])('finds the same people as a full scan: %s', (filter) => compareUsers(filter));

  it('finds renamed and new people, and no deleted ones', async () => {
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
  ])('are found by rare statuses: %s', async (filter) => {
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
    await comparePages(
      rows.map(({ record }) => record),
      broadcastRecipientList,
      filter,
      (wanted) => listRecipients(database.pool, workspaceId, broadcastId, wanted),
    );
  });
});
