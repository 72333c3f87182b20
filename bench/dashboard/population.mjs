import pg from 'pg';
import { databaseOf } from '../support/service.mjs';

const TITLE = 'The long conversation';

/** Adds a conversation with one message a second until now. Returns its number and the text of its newest message. */
export async function addLongConversation(dataDir, count) {
  const client = new pg.Client(await databaseOf(dataDir));
  await client.connect();
  try {
    const triggers = (what) => client.query(`ALTER TABLE messages ${what} TRIGGER USER`);
    // Triggers are off, as for the other messages.
    await triggers('DISABLE');
    const { rows } = await client.query(
      `INSERT INTO conversations (id, workspace_id, number, type, title, status, priority, last_message_at, created_by, created_at,
         updated_at)
       SELECT uuid7(), u.workspace_id, (SELECT max(number) + 1 FROM conversations), 'group', $1, 'open', 'none', now(), u.id,
         now() - $2 * interval '1 s', now() FROM users u WHERE u.username = 'bench' RETURNING id, number, workspace_id, created_by`,
      [TITLE, count],
    );
    const [{ id, number, workspace_id: workspace, created_by: person }] = rows;
    await client.query(
      `INSERT INTO participants (conversation_id, user_id, workspace_id, role, joined_at) VALUES ($1, $2, $3, 'owner', now())`,
      [id, person, workspace],
    );
    await client.query(
      `INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, content_type, direction, status,
         category, sent_at, created_at, updated_at)
       SELECT encode(int8send(((extract(epoch FROM t) * 1000)::bigint << 16) | 28672) || int8send((-9223372036854775808) | n), 'hex')::uuid,
         $1, $2, $3, $4,
         'Message no. ' || n || '. ' || repeat('It has several words. ', (n % 9)::int), 'text', 'outbound', 'sent', 'conversational', t, t, t
       FROM generate_series(1, $5::bigint) n, LATERAL (SELECT now() - ($5 - n) * interval '1 s' AS t) x`,
      [workspace, id, number, person, count],
    );
    await triggers('ENABLE');
    await client.query('ANALYZE messages');
    return { number: Number(number), newest: `Message no. ${count}.` };
  } finally {
    await client.end();
  }
}
