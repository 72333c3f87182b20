import pg from 'pg';
import { SearchIndexer } from '../../dist/src/store/listing/search-indexer.js';
import { databaseOf } from '../support/service.mjs';

const CHUNK = 50_000;
const WRITERS = 4;
const YEAR_MS = 365 * 86_400_000;
/** A year of messages, the same number in each hour. */
const SPAN = `interval '365 days'`;

/** A deterministic id in the format of the service, from a time and a number. */
const MADE_ID = `
  CREATE OR REPLACE FUNCTION pg_temp.made_id(kind int, t timestamptz, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
  $$ SELECT encode(int8send(((extract(epoch FROM t) * 1000)::bigint << 16) | 28672 | kind)
    || int8send((-9223372036854775808) | (hashint8extended(n, kind) & 4611686018427387903)), 'hex')::uuid $$`;

const PEOPLE = `
  INSERT INTO users (id, workspace_id, kind, role, username, display_name, email, created_at, updated_at, last_seen_at, metadata)
  SELECT pg_temp.made_id(1, t, n), $1, CASE WHEN n < 20 THEN 'member' ELSE 'contact' END, CASE WHEN n < 20 THEN 'member' END,
    'person.' || n, CASE WHEN n = 777 THEN 'Zanzibar' ELSE 'Person ' || md5(n::text) END, 'person' || n || '@example.com', t, t,
    CASE WHEN n % 3 = 0 THEN t + interval '1 hour' END, CASE WHEN n % 20 = 0 THEN jsonb_build_object('tier', n % 7) ELSE '{}' END
  FROM generate_series(0, $2::bigint - 1) n, LATERAL (SELECT $3::timestamptz - ${SPAN} + n * interval '10 ms' AS t) x`;

const IDENTITIES = `
  INSERT INTO identities (workspace_id, user_id, platform, external_id, created_at)
  SELECT $1, pg_temp.made_id(1, t, n), CASE n % 3 WHEN 0 THEN 'telegram' WHEN 1 THEN 'slack' ELSE 'sms' END, 'chat' || n, t
  FROM generate_series(20, $2::bigint - 1) n, LATERAL (SELECT $3::timestamptz - ${SPAN} + n * interval '10 ms' AS t) x`;

const CONNECTIONS = `
  INSERT INTO connections (id, workspace_id, platform, name, enabled, status, health, created_by)
  SELECT pg_temp.made_id(2, $2, n), $1, p, p, false, 'disabled', jsonb_build_object('code', 'disabled',
    'message', 'Switched off.', 'fix', NULL, 'since', wire_time(now())), (SELECT id FROM users WHERE workspace_id = $1 LIMIT 1)
  FROM unnest(ARRAY['telegram', 'slack', 'sms', 'discord']) WITH ORDINALITY AS c (p, n)`;

const CONVERSATIONS = `
  INSERT INTO conversations (id, workspace_id, number, type, title, status, priority, labels, last_message_at, created_by,
    created_at, updated_at)
  SELECT pg_temp.made_id(3, t, n), $1, n + 1, 'direct', 'Chat ' || n,
    CASE WHEN n % 1000 = 7 THEN 'pending' WHEN n % 10 = 3 THEN 'resolved' ELSE 'open' END,
    CASE WHEN n = 11 THEN 'urgent' ELSE 'none' END, CASE WHEN n % 50 = 1 THEN ARRAY['vip'] ELSE '{}' END, t + interval '1 day',
    pg_temp.made_id(1, $3::timestamptz - ${SPAN} + (n + 20) * interval '10 ms', n + 20), t, t
  FROM generate_series(0, $2::bigint - 1) n, LATERAL (SELECT $3::timestamptz - ${SPAN} + n * interval '1 s' AS t) x`;

const PARTICIPANTS = `
  INSERT INTO participants (conversation_id, user_id, workspace_id, role, joined_at)
  SELECT c.id, u.id, c.workspace_id, u.role, c.created_at FROM conversations c CROSS JOIN LATERAL (
    VALUES (c.created_by, 'customer'), ((SELECT id FROM users m WHERE m.workspace_id = $1 AND m.username = 'bench'), 'owner'),
      (pg_temp.made_id(1, $2::timestamptz - ${SPAN} + c.number % 20 * interval '10 ms', c.number % 20), 'agent')) u (id, role)
  WHERE c.workspace_id = $1 AND u.id IS NOT NULL`;

const LINKS = `
  INSERT INTO links (id, workspace_id, conversation_id, connection_id, platform, external_id, created_at)
  SELECT pg_temp.made_id(4, $2, c.number), $1, c.id, n.id, n.platform, 'chat' || c.number, c.created_at
  FROM conversations c JOIN connections n ON n.workspace_id = $1 AND n.platform = CASE
    WHEN (c.number - 1) % 10 < 5 THEN 'telegram' WHEN (c.number - 1) % 10 < 8 THEN 'slack' ELSE 'sms' END
  WHERE c.workspace_id = $1 AND (c.number - 1) % 10 < 9`;

/**
 * A few conversations have most of the messages; of a million messages, the largest has 5 %. Rare values are old, so that a query
 * from the newest row finds them last.
 */
const MESSAGES = `
  INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, content_type, direction, status,
    platform, category, reply_to_id, thread_id, broadcast_id, send_at, sent_at, metadata, created_at, updated_at)
  SELECT pg_temp.made_id(5, t, i), $1, pg_temp.made_id(3, begun, k), k + 1,
    CASE WHEN direction = 'inbound' THEN pg_temp.made_id(1, first + (k + 20) * interval '10 ms', k + 20)
      ELSE pg_temp.made_id(1, first + (i % 20) * interval '10 ms', i % 20) END,
    CASE WHEN i = 5 THEN 'The only zanzibar of all' ELSE 'Order ' || i || ' of ' || md5(i::text) || ' has left our warehouse' END,
    CASE WHEN i <= total / 1000 THEN 'markdown' ELSE 'text' END, direction,
    CASE WHEN direction = 'internal' THEN 'sent' WHEN direction = 'inbound' THEN CASE WHEN c < 0.6 THEN 'read' ELSE 'received' END
      WHEN i <= 20 THEN 'canceled' WHEN c < 0.002 THEN 'failed' WHEN i = 99 THEN 'uncertain' WHEN c < 0.3 THEN 'sent'
      WHEN c < 0.8 THEN 'delivered' ELSE 'read' END,
    CASE WHEN direction = 'internal' THEN NULL WHEN i <= total / 1000 THEN 'discord' WHEN k % 10 < 5 THEN 'telegram'
      WHEN k % 10 < 8 THEN 'slack' ELSE 'sms' END,
    CASE WHEN cast_at IS NOT NULL THEN 'marketing' WHEN c > 0.999 THEN 'transactional' ELSE 'conversational' END,
    CASE WHEN i % 50 = 0 THEN pg_temp.made_id(5, $4::timestamptz - ${SPAN} * ((total - i + 1)::float8 / total), i - 1) END,
    CASE WHEN i BETWEEN 200 AND 200 + total / 100 THEN pg_temp.made_id(5,
      $4::timestamptz - ${SPAN} * ((total - i / 20)::float8 / total), i / 20) END,
    cast_at, CASE WHEN i % 1000 = 1 THEN t + interval '1 hour' END, t,
    CASE WHEN i = 7 THEN '{"order": "rare"}' WHEN i % 20 = 0 THEN jsonb_build_object('order', i) ELSE '{}' END, t,
    t + CASE WHEN i % 100 = 0 THEN interval '3 days' * c ELSE interval '40 s' * c END
  FROM (SELECT i, total, random() AS a, random() AS b, random() AS c,
      $4::timestamptz - ${SPAN} * ((total - i)::float8 / total) AS t, $4::timestamptz - ${SPAN} AS first
    FROM generate_series($2::bigint, $3::bigint) i, (SELECT $5::bigint AS total) n OFFSET 0) x
  CROSS JOIN LATERAL (SELECT floor($6::int * a * a * a * a)::bigint AS k OFFSET 0) y
  CROSS JOIN LATERAL (SELECT first + k * interval '1 s' AS begun,
    CASE WHEN i > total * 2 / 5 AND i <= total * 2 / 5 + total / 100 THEN pg_temp.made_id(7, first, 1) END AS cast_at) z
  CROSS JOIN LATERAL (SELECT CASE WHEN cast_at IS NOT NULL THEN 'outbound' WHEN k % 10 = 9 THEN 'internal'
    WHEN b < 0.5 THEN 'inbound' ELSE 'outbound' END AS direction) d`;

const DELIVERIES = `
  INSERT INTO deliveries (id, workspace_id, message_id, conversation_id, link_id, connection_id, platform, external_chat_id, status,
    attempt_count, revision, sent_at, created_at, updated_at)
  SELECT pg_temp.made_id(6, m.created_at, row_number() OVER ()), m.workspace_id, m.id, m.conversation_id, l.id, l.connection_id,
    l.platform, l.external_id, m.status, 1, 1, m.sent_at, m.created_at, m.updated_at
  FROM messages m JOIN links l ON l.id = pg_temp.made_id(4, $3, m.conversation_number)
  WHERE m.workspace_id = $1 AND m.direction = 'outbound' AND m.created_at > $2 AND m.created_at <= $4`;

const PARTS = `
  INSERT INTO delivery_parts (delivery_id, index, kind, status, external_id)
  SELECT id, 0, 'text', 'sent', 'm' || position FROM deliveries WHERE workspace_id = $1 AND created_at > $2 AND created_at <= $3`;

const RECEIPTS = `
  INSERT INTO read_receipts (message_id, user_id, workspace_id, read_at, conversation_id, written_at, counted)
  SELECT m.id, u.id, m.workspace_id, m.updated_at, m.conversation_id, m.created_at, m.sender_id <> u.id FROM messages m
  JOIN users u ON u.workspace_id = $1 AND u.username = 'bench'
  WHERE m.workspace_id = $1 AND m.direction = 'inbound' AND m.status = 'read' AND m.created_at > $2 AND m.created_at <= $3`;

const BROADCASTS = `
  INSERT INTO broadcasts (id, workspace_id, name, status, text, audience, created_by)
  SELECT pg_temp.made_id(7, $2::timestamptz - ${SPAN}, 1), $1, 'Sale', 'completed', 'Sale', '{}', id
  FROM users WHERE workspace_id = $1 AND username = 'bench'`;

const RECIPIENTS = `
  INSERT INTO broadcast_recipients (workspace_id, broadcast_id, user_id, platform, status, skip_reason, variant)
  SELECT $1, pg_temp.made_id(7, $3::timestamptz - ${SPAN}, 1), pg_temp.made_id(1, t, n),
    CASE WHEN n = 50 THEN 'discord' ELSE 'telegram' END, CASE WHEN n = 60 THEN 'failed' WHEN n % 10 = 0 THEN 'skipped' ELSE 'delivered' END,
    CASE WHEN n % 10 = 0 THEN 'no_route' END, CASE WHEN n = 70 THEN 'b' ELSE 'a' END
  FROM generate_series(20, $2::bigint - 1) n, LATERAL (SELECT $3::timestamptz - ${SPAN} + n * interval '10 ms' AS t) x`;

/**
 * Inserts a year of messages with their related rows into the workspace. Triggers are off, and the indexes of large tables are
 * created afterwards. With `areAlone` the messages have no deliveries and no receipts, and are not in the search index.
 */
export async function populate(dataDir, rows, log = () => undefined, { areAlone = false } = {}) {
  const options = '-c synchronous_commit=off -c maintenance_work_mem=1GB -c work_mem=256MB';
  const pool = new pg.Pool({ ...(await databaseOf(dataDir)), options, max: WRITERS });
  const query = (text, values) => run(pool, text, values);
  try {
    const until = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
    const [{ workspace_id: workspace }] = await query(
      `UPDATE users SET username = 'bench' WHERE id = (SELECT user_id FROM api_keys LIMIT 1) RETURNING workspace_id`,
    );
    const restore = await setAside(query);
    await writePeople(query, {
      workspace,
      until,
      people: Math.max(2_020, rows / 20),
      conversations: conversationsOf(rows),
    });
    log('people and conversations');
    await writeMessages(query, { workspace, until, rows });
    log('messages');
    await restore.indexes('messages');
    log('their indexes');
    if (areAlone) {
      await restore.indexes('deliveries');
      await restore.indexes('read_receipts');
    } else {
      await writeDeliveries(query, { workspace, until, restore });
      log('deliveries');
    }
    await restore.checks();
    await summarize(query, workspace);
    log('counts');
    if (areAlone) await passOver(query, workspace);
    else await indexForSearch(pool, workspace);
    log('batches');
    await query('VACUUM (ANALYZE)');
    log('statistics');
    return { workspace, until };
  } finally {
    await pool.end();
  }
}

const conversationsOf = (rows) => Math.max(2_000, rows / 100);

/** Runs a statement on a connection that has the function for ids. */
async function run(pool, text, values) {
  const client = await pool.connect();
  try {
    if (text.includes('made_id')) await client.query(MADE_ID);
    return (await client.query(text, values)).rows;
  } finally {
    client.release();
  }
}

async function writePeople(query, { workspace, until, people, conversations }) {
  await query(PEOPLE, [workspace, people, until]);
  await Promise.all([
    query(IDENTITIES, [workspace, people, until]),
    query(CONNECTIONS, [workspace, until]),
    query(CONVERSATIONS, [workspace, conversations, until]),
  ]);
  await query(BROADCASTS, [workspace, until]);
  await Promise.all([
    query(PARTICIPANTS, [workspace, until]),
    query(LINKS, [workspace, until]),
    query(RECIPIENTS, [workspace, people, until]),
  ]);
}

async function writeMessages(query, { workspace, until, rows }) {
  let next = 1;
  const writer = async () => {
    while (next <= rows) {
      const from = next;
      next += CHUNK;
      await query(MESSAGES, [
        workspace,
        from,
        Math.min(from + CHUNK - 1, rows),
        until,
        rows,
        conversationsOf(rows),
      ]);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

async function writeDeliveries(query, { workspace, until, restore }) {
  const quarter = (n) =>
    new Date(Date.parse(until) - YEAR_MS * (1 - n / 4) - (n === 0 ? 3_600_000 : 0)).toISOString();
  for (let n = 0; n < 4; n += 1) {
    await Promise.all([
      query(DELIVERIES, [workspace, quarter(n), until, quarter(n + 1)]),
      query(RECEIPTS, [workspace, quarter(n), quarter(n + 1)]),
    ]);
  }
  await Promise.all([restore.indexes('read_receipts'), restore.indexes('deliveries')]);
  for (let n = 0; n < 4; n += 1) await query(PARTS, [workspace, quarter(n), quarter(n + 1)]);
}

/** Inserts the hourly and daily counts, which triggers would have written. */
async function summarize(query, workspace) {
  await query(
    `INSERT INTO insight_counts (workspace_id, resource, span, start, measure, platform, status, agent_id, amount)
     WITH hours AS MATERIALIZED (
       SELECT workspace_id, utc_hour(created_at) AS hour, direction, coalesce(platform, '') AS platform, status,
         CASE WHEN direction = 'inbound' THEN no_agent() ELSE sender_id END AS agent, count(*) AS amount
       FROM messages WHERE workspace_id = $1 GROUP BY 1, 2, 3, 4, 5, 6)
     SELECT workspace_id, 'messages', s.span,
       CASE s.span WHEN 'ever' THEN '-infinity' ELSE hour END, x.measure, platform, status, agent,
       sum(amount)
     FROM hours CROSS JOIN (VALUES ('hour'), ('ever')) AS s (span)
     CROSS JOIN LATERAL unnest(CASE WHEN status IN ('failed', 'expired', 'blocked') THEN ARRAY[direction, 'failed']
       ELSE ARRAY[direction] END) AS x (measure)
     GROUP BY 1, 3, 4, 5, 6, 7, 8`,
    [workspace],
  );
  await query(
    `SELECT add_insight_days(d.deltas) FROM (
       SELECT array_agg(ROW(workspace_id, resource, start, measure, platform, status, agent_id, amount)::insight_delta) AS deltas
       FROM insight_counts WHERE workspace_id = $1 AND span = 'hour' GROUP BY utc_day(start)) d`,
    [workspace],
  );
}

/** Excludes these messages from the search index. */
async function passOver(query, workspace) {
  await query(
    `INSERT INTO list_progress (workspace_id, messages_until, users_until, conversations_until, counted_until)
     VALUES ($1, now(), now(), now(), now())
     ON CONFLICT (workspace_id) DO UPDATE SET messages_until = now(), users_until = now(), conversations_until = now(),
       counted_until = now()`,
    [workspace],
  );
}

/** Adds all records to the search index, and counts them for lists. */
async function indexForSearch(pool, workspace) {
  await pool.query(
    `INSERT INTO list_progress (workspace_id, made_at) VALUES ($1, now() - interval '1 day')
     ON CONFLICT (workspace_id) DO UPDATE SET made_at = excluded.made_at`,
    [workspace],
  );
  const batches = new SearchIndexer(pool);
  const left = async () => {
    const { rows } = await pool.query(
      `SELECT coalesce(batch_end($1, 'messages', messages_until, 200), batch_end($1, 'users', users_until, 200),
         batch_end($1, 'conversations', conversations_until, 200),
         batch_end($1, 'messages', counted_until, 5000)) IS NOT NULL AS left FROM list_progress WHERE workspace_id = $1`,
      [workspace],
    );
    return rows[0].left;
  };
  // The sweeper of the service makes some of the batches.
  while ((await batches.run()) > 0 || (await left()));
}

const FILLED = [
  'users',
  'identities',
  'connections',
  'conversations',
  'participants',
  'links',
  'broadcasts',
  'broadcast_recipients',
  'messages',
  'deliveries',
  'delivery_parts',
  'read_receipts',
];
const MUCH = ['messages', 'deliveries', 'read_receipts'];

/** Disables triggers, and drops foreign keys and the secondary indexes of large tables, because each costs time per row. */
async function setAside(query) {
  const indexes = await query(
    `SELECT i.tablename, i.indexname, i.indexdef FROM pg_indexes i WHERE i.schemaname = 'public' AND i.tablename = ANY ($1)
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexname::regclass)`,
    [MUCH],
  );
  const keys = await query(
    `SELECT conrelid::regclass AS on, conname AS name, pg_get_constraintdef(oid) AS is FROM pg_constraint
     WHERE contype = 'f' AND conrelid = ANY ($1::regclass[])`,
    [FILLED],
  );
  for (const { indexname } of indexes) await query(`DROP INDEX ${indexname}`);
  for (const { on, name } of keys) await query(`ALTER TABLE ${on} DROP CONSTRAINT ${name}`);
  for (const table of FILLED) await query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  return {
    async indexes(table) {
      for (const { tablename, indexdef } of indexes) if (tablename === table) await query(indexdef);
    },
    async checks() {
      for (const { on, name, is } of keys)
        await query(`ALTER TABLE ${on} ADD CONSTRAINT ${name} ${is} NOT VALID`);
      for (const table of FILLED) await query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    },
  };
}
