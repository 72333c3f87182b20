import type { Pool } from 'pg';
import {
  apiKeyRecordSql,
  broadcastRecipientRecordSql,
  callRecordSql,
  consentChangeRecordSql,
  contactImportRowRecordSql,
  conversationRecordSql,
  locationRecordSql,
  messageRecordSql,
  readReceiptRecordSql,
  trackingSessionRecordSql,
  userRecordSql,
  wireTimeSql,
} from '../calls.gen.js';

/** One record about a user. */
export interface ExportedRecord {
  readonly kind: string;
  readonly record: unknown;
}

const PAGE = 500;

/** Condition for the messages m of a user $1. */
const THEIRS = `(m.sender_id = $1 OR m.conversation_id IN (
  SELECT c.id FROM conversations c JOIN participants p ON p.conversation_id = c.id WHERE p.user_id = $1 AND c.type = 'direct'))`;

/** The kinds of records: the sort key, the source of the rows for the user $1, and the shape of a record. */
const PARTS = [
  { kind: 'user', key: 'u.id', from: 'users u WHERE u.id = $1', record: userRecordSql('u') },
  {
    kind: 'consent_change',
    key: 'c.id',
    from: 'consent_changes c WHERE c.user_id = $1',
    record: consentChangeRecordSql('c'),
  },
  {
    kind: 'contact_import_row',
    key: 'r.id',
    from: 'contact_import_rows r WHERE r.user_id = $1 AND r.cells IS NOT NULL',
    record: `json_build_object('import_id', r.import_id, 'row', ${contactImportRowRecordSql('r')})`,
  },
  {
    kind: 'conversation',
    key: 'c.id',
    from: 'conversations c WHERE c.deleted_at IS NULL AND EXISTS (SELECT FROM participants p WHERE p.conversation_id = c.id AND p.user_id = $1)',
    record: conversationRecordSql('c', 'NULL'),
  },
  {
    kind: 'message',
    key: 'm.id',
    // The user's own messages in all conversations, and all messages of their direct conversations.
    from: `messages m WHERE m.deleted_at IS NULL AND ${THEIRS}`,
    record: messageRecordSql('m'),
  },
  {
    kind: 'deleted_message',
    key: 'm.id',
    // Deleted messages are kept for a while and shown only in exports.
    from: `messages m WHERE m.deleted_at IS NOT NULL AND ${THEIRS}`,
    record: `(${messageRecordSql('m')}::jsonb || jsonb_build_object('deleted_at', ${wireTimeSql('m.deleted_at')}))`,
  },
  {
    kind: 'message_version',
    key: "(v.message_id || ' ' || v.revision)",
    from: `message_versions v JOIN messages m ON m.id = v.message_id WHERE ${THEIRS}`,
    record: `json_build_object('message_id', v.message_id, 'revision', v.revision, 'text', v.text,
      'content_type', v.content_type, 'created_at', ${wireTimeSql('v.created_at')})`,
  },
  {
    kind: 'read_receipt',
    key: 'r.message_id',
    from: 'read_receipts r WHERE r.user_id = $1',
    record: `json_build_object('message_id', r.message_id, 'receipt', ${readReceiptRecordSql('r')})`,
  },
  {
    kind: 'reaction',
    key: "(r.message_id || ' ' || r.emoji)",
    from: 'reactions r WHERE r.user_id = $1',
    record: "json_build_object('message_id', r.message_id, 'emoji', r.emoji, 'platform', r.platform)",
  },
  { kind: 'location', key: 'l.id', from: 'locations l WHERE l.user_id = $1', record: locationRecordSql('l') },
  {
    kind: 'tracking_session',
    key: 's.id',
    from: 'tracking_sessions s WHERE s.user_id = $1',
    record: trackingSessionRecordSql('s'),
  },
  {
    kind: 'call',
    key: 'c.id',
    from: 'calls c WHERE EXISTS (SELECT FROM call_participants p WHERE p.call_id = c.id AND p.user_id = $1)',
    record: callRecordSql('c'),
  },
  {
    kind: 'broadcast_recipient',
    key: 'r.id',
    from: 'broadcast_recipients r WHERE r.user_id = $1',
    record: broadcastRecipientRecordSql('r'),
  },
  {
    kind: 'segment_member',
    key: 's.segment_id',
    from: 'segment_members s WHERE s.user_id = $1',
    record:
      "json_build_object('segment_id', s.segment_id, 'platform', s.platform, 'address', s.address, 'variables', s.variables)",
  },
  {
    kind: 'broadcast_address',
    key: "(b.id || ' ' || a.n)",
    // The audience names the user by an address, whether or not the broadcast has begun.
    from: `identities i JOIN broadcasts b ON b.workspace_id = i.workspace_id
      CROSS JOIN LATERAL jsonb_array_elements(b.audience->'recipients') WITH ORDINALITY AS a (r, n)
      WHERE i.user_id = $1 AND a.r->>'platform' = i.platform AND a.r->>'address' = i.external_id`,
    record:
      "json_build_object('broadcast_id', b.id, 'platform', i.platform, 'address', i.external_id, 'variables', a.r->'variables')",
  },
  {
    kind: 'session',
    key: 's.id',
    from: 'sessions s WHERE s.user_id = $1',
    record: `json_build_object('id', s.id, 'created_at', ${wireTimeSql('s.created_at')}, 'last_seen_at', ${wireTimeSql('s.last_seen_at')},
      'expires_at', ${wireTimeSql('s.expires_at')})`,
  },
  {
    kind: 'api_key',
    key: 'k.id',
    from: 'api_keys k WHERE k.user_id IN (SELECT id FROM users WHERE id = $1 OR live_user_id = $1)',
    record: apiKeyRecordSql('k'),
  },
  {
    kind: 'authorization',
    key: 'g.id',
    from: 'oauth_grants g WHERE g.user_id = $1',
    record: `json_build_object('id', g.id, 'app_id', g.app_id, 'scopes', g.scopes, 'created_at', ${wireTimeSql('g.created_at')},
      'revoked_at', ${wireTimeSql('g.revoked_at')})`,
  },
] as const;

/**
 * All data about a user in one snapshot, except copies in envelopes and events. Each record has the shape of the API. Raises an
 * error when the user does not exist or is deleted. Rows are read in pages.
 */
export async function* exportUser(pool: Pool, userId: string): AsyncGenerator<ExportedRecord> {
  const client = await pool.connect();
  let broken = true;
  try {
    // The transaction lasts as long as the output is read.
    await client.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
       SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`,
    );
    const known = await client.query('SELECT FROM users WHERE id = $1 AND deleted_at IS NULL', [userId]);
    if (known.rowCount === 0) throw new Error(`There is no user ${userId}.`);
    for (const { kind, key, from, record } of PARTS) {
      // A cursor searches the rows of a part once, and not once per page.
      await client.query(`DECLARE part CURSOR FOR SELECT ${record} AS record FROM ${from} ORDER BY ${key}`, [
        userId,
      ]);
      for (let more = true; more; ) {
        const { rows } = await client.query<{ record: unknown }>(`FETCH ${PAGE} FROM part`);
        for (const row of rows) yield { kind, record: row.record };
        more = rows.length === PAGE;
      }
      await client.query('CLOSE part');
    }
    await client.query('COMMIT');
    broken = false;
  } finally {
    client.release(broken);
  }
}
