import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bridgeStage } from '../../support/bridge.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const EARLIER = 60;
const LANES = 2_000;
const TAKEN = 20;

let database: TestDatabase;
let worker: PoolClient;

beforeAll(async () => {
  database = await testDatabase();
  worker = await database.pool.connect();
});

afterAll(async () => {
  worker.release();
  await database.drop();
});

/** Lanes and messages like the one of `link`. */
async function multiply(link: string, lanes: number): Promise<void> {
  await database.pool.query(
    `WITH copies AS (SELECT n, uuid7() AS link_id, uuid7() AS message_id FROM generate_series(1, $2::int) n),
     lanes AS (
       INSERT INTO links (id, workspace_id, conversation_id, connection_id, platform, external_id)
       SELECT c.link_id, workspace_id, conversation_id, connection_id, platform, c.link_id::text FROM links, copies c WHERE id = $1),
     texts AS (
       INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status)
       SELECT c.message_id, m.workspace_id, m.conversation_id, m.conversation_number, m.sender_id, m.text, m.direction, m.status
       FROM deliveries d JOIN messages m ON m.id = d.message_id, copies c WHERE d.link_id = $1)
     INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform, external_chat_id,
       status, expires_at)
     SELECT d.workspace_id, c.message_id, d.conversation_id, c.link_id, d.connection_id, d.platform, 'x', 'queued', d.expires_at
     FROM deliveries d, copies c WHERE d.link_id = $1`,
    [link, lanes],
  );
}

it('a claim reads only as many queued rows as it takes, even with statistics from before the broadcast', async () => {
  const stage = await bridgeStage(database.pool);
  const connection = await stage.connection('alpha');
  const conversation = await stage.conversation();
  const link = await stage.link(conversation, connection, 'first');
  await stage.send(conversation, 'to everybody');
  await multiply(link, EARLIER);
  for (const table of ['links', 'deliveries', 'messages']) {
    await worker.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    await worker.query(`ANALYZE ${table}`);
  }
  await worker.query('BEGIN');
  const claim = (maxLanes: number) =>
    worker.query<{ tasks: unknown[] }>('SELECT claim_deliveries($1, $2, 25) AS tasks', [
      connection,
      maxLanes,
    ]);
  // The plans are created here and cached.
  await claim(1);
  await worker.query('ROLLBACK');
  await multiply(link, LANES);
  await worker.query('BEGIN');
  const { rows } = await claim(TAKEN);
  expect(rows[0]?.tasks).toHaveLength(TAKEN);
  const { rows: read } = await worker.query<{ rows: number }>(
    `SELECT sum(seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables
     WHERE relname IN ('links', 'deliveries', 'messages')`,
  );
  await worker.query('ROLLBACK');
  expect(read[0]?.rows).toBeLessThan(TAKEN * 30);
});
