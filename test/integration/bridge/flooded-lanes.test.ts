import type { PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const FLOOD = 20_000;
const OTHERS = 6;

let database: TestDatabase;
let worker: PoolClient;
let stage: BridgeStage;
let connection: string;
let flooded: string;

interface Claimed {
  readonly delivery_id: string;
  readonly attempt_id: string | null;
  readonly message: { readonly text: string };
}

beforeAll(async () => {
  database = await testDatabase();
  worker = await database.pool.connect();
});
afterAll(async () => {
  worker.release();
  await database.drop();
});
beforeEach(async () => {
  stage = await bridgeStage(database.pool);
  connection = await stage.connection('alpha');
  const conversation = await stage.conversation();
  flooded = await stage.link(conversation, connection, 'flooded');
  const { id } = await stage.send(conversation, 'flood');
  await database.pool.query(
    `INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform, external_chat_id,
       status, expires_at)
     SELECT d.workspace_id, d.message_id, d.conversation_id, d.link_id, d.connection_id, d.platform, d.external_chat_id,
       'queued', d.expires_at FROM deliveries d, generate_series(1, $2::int) WHERE d.message_id = $1`,
    [id, FLOOD],
  );
  for (let n = 1; n <= OTHERS; n += 1) {
    const other = await stage.conversation();
    await stage.link(other, connection, `other ${n}`);
    const { deliveries } = await stage.send(other, `other ${n}`);
    // The odd ones belong to a broadcast.
    await database.pool.query('UPDATE deliveries SET priority = $2 WHERE id = $1', [
      deliveries[0]?.id,
      n % 2 === 0 ? 0 : 10,
    ]);
  }
});
afterEach(() => worker.query('ROLLBACK'));

async function rowsRead(): Promise<number> {
  const { rows } = await worker.query<{ read: number }>(
    `SELECT sum(seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables
     WHERE relname IN ('links', 'deliveries')`,
  );
  return rows[0]?.read ?? 0;
}

/** The texts that one claim takes and begins, and the number of rows of deliveries and links that it reads. */
async function claim(maxLanes: number, urgent = false, atOnce: number | null = null) {
  await worker.query('BEGIN');
  // The reads of earlier transactions may not be reported yet.
  const before = await rowsRead();
  const { rows } = await worker.query<{ tasks: Claimed[] }>(
    'SELECT claim_deliveries($1, $2, 25, $3, $4) AS tasks',
    [connection, maxLanes, urgent, atOnce],
  );
  const tasks = rows[0]?.tasks ?? [];
  return {
    texts: tasks.map(({ message }) => message.text),
    begun: tasks.filter(({ attempt_id: attempt }) => attempt !== null).map(({ message }) => message.text),
    read: (await rowsRead()) - before,
  };
}

it.each([
  ['waits', `UPDATE links SET held_until = now() + interval '1 hour' WHERE id = $1`],
  ['is being written to', `UPDATE links SET leased_until = now() + interval '1 hour' WHERE id = $1`],
])(
  'a claim passes over a chat that %s without reading everything that was sent to it',
  async (_what, state) => {
    await database.pool.query(state, [flooded]);
    const { texts, begun, read } = await claim(64, false, 2);
    expect(texts).toEqual(['other 2', 'other 4', 'other 6', 'other 1', 'other 3', 'other 5']);
    expect(begun).toEqual(['other 2', 'other 4']);
    expect(read).toBeLessThan(FLOOD / 4);
  },
);

it('a claim takes a flooded chat first when it may be written to, and only urgent messages when only those are wanted', async () => {
  expect((await claim(2)).texts).toEqual(['flood', 'other 2']);
  await worker.query('ROLLBACK');
  expect((await claim(64, true)).texts).toEqual(['flood', 'other 2', 'other 4', 'other 6']);
});

it('a claim reaches the other chats even when thousands of chats have queued messages', async () => {
  const conversation = await stage.conversation();
  const link = await stage.link(conversation, connection, 'crowd');
  await stage.send(conversation, 'crowd');
  await database.pool.query(
    `WITH lanes AS (
       INSERT INTO links (id, workspace_id, conversation_id, connection_id, platform, external_id)
       SELECT uuid7(), workspace_id, conversation_id, connection_id, platform, 'crowd ' || n FROM links, generate_series(1, 3100) n
       WHERE id = $1 RETURNING id)
     INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform, external_chat_id,
       status, expires_at)
     SELECT d.workspace_id, d.message_id, d.conversation_id, lanes.id, d.connection_id, d.platform, 'x', 'queued', d.expires_at
     FROM deliveries d, lanes WHERE d.link_id = $1`,
    [link],
  );
  await database.pool.query('UPDATE links SET leased_until = $2 WHERE id = $1', [flooded, 'infinity']);
  expect((await claim(5)).texts).toEqual(['other 2', 'other 4', 'other 6', 'crowd', 'crowd']);
});
