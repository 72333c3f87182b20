import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FilterClause, ListQuery } from '../../../src/core/listing/list-spec.js';
import { type KeptDays, Retention } from '../../../src/store/maintenance/retention.js';
import { PostgresMessageActions } from '../../../src/store/messages/message-actions.js';
import { PostgresMessages } from '../../../src/store/messages/messages.js';
import { exportUser } from '../../../src/store/people/user-export.js';
import { PostgresRetention } from '../../../src/store/workspaces/retention.js';
import { type BridgeStage, bridgeStage, sent } from '../../support/bridge.js';
import { InsightCounts } from '../../support/insight-counts.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { waitFor } from '../../support/wait-for.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEPT: KeptDays = { envelopes: 30, attempts: 90, messages: undefined };

let database: TestDatabase;
let stage: BridgeStage;
let sms: string;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  stage = await bridgeStage(database.pool);
  sms = await stage.connection('sms');
});
afterAll(() => database.drop());

const query = <T>(text: string, ...parameters: unknown[]) => values<T>(database.pool, text, parameters);
const clean = (kept: KeptDays = KEPT) => new Retention(database.pool, kept).run();
const idDaysAgo = (days: number) => uuidv7({ msecs: Date.now() - days * DAY_MS });

/** Gives rows of the workspace ids as if they were created this many days ago. */
const age = (table: string, days: number) =>
  query(
    `UPDATE ${table} SET id = (substr(uuid7_at(now() - make_interval(days => $2))::text, 1, 13) || substr(id::text, 14))::uuid
     WHERE workspace_id = $1 RETURNING id`,
    stage.workspaceId,
    days,
  );
const count = async (table: string) =>
  (await query<number>(`SELECT count(*)::int FROM ${table} WHERE workspace_id = $1`, stage.workspaceId))[0];

async function write(address: string, text: string, messageId = uuidv7()) {
  const { message } = await stage.post(sms, address, text, { sender: address, kind: 'direct', messageId });
  if (message === null) throw new Error('Nothing was stored.');
  return message;
}

describe('retention', () => {
  it('deletes messages that are older than their workspace keeps them, and no others', async () => {
    await write('+49170031', 'Old');
    await query(
      `UPDATE messages SET created_at = now() - interval '10 days' WHERE workspace_id = $1 RETURNING id`,
      stage.workspaceId,
    );
    await write('+49170031', 'New');
    await clean();
    expect(await count('messages')).toBe(2);
    const retention = new PostgresRetention(database.pool);
    await retention.set(stage.workspaceId, 11);
    await clean();
    expect(await count('messages')).toBe(2);
    await retention.set(stage.workspaceId, 9);
    await clean();
    expect(
      await query<string>('SELECT text FROM messages WHERE workspace_id = $1', stage.workspaceId),
    ).toEqual(['New']);
    await retention.set(stage.workspaceId, null);
  });

  it('deletes envelopes and attempts after their days, but never pending ones', async () => {
    const { conversation_id: conversation } = await write('+49170003', 'Hello');
    await stage.send(conversation, 'Answer');
    await stage.deliveries.settle([sent(await stage.claimOne(sms))]);
    await age('envelopes', 29);
    await age('attempts', 89);
    await clean();
    expect([await count('envelopes'), await count('attempts')]).toEqual([1, 1]);
    await age('envelopes', 31);
    await age('attempts', 91);
    await query(
      "UPDATE envelopes SET status = 'pending' WHERE workspace_id = $1 RETURNING id",
      stage.workspaceId,
    );
    await clean();
    expect([await count('envelopes'), await count('attempts')]).toEqual([1, 0]);
    await query(
      "UPDATE envelopes SET status = 'processed' WHERE workspace_id = $1 RETURNING id",
      stage.workspaceId,
    );
    await clean();
    expect(await count('envelopes')).toBe(0);
  });

  it('keeps messages without a configured period, and otherwise deletes them with all dependent rows', async () => {
    const { conversation_id: conversation } = await write('+49170004', 'Hello');
    const old = idDaysAgo(40);
    await stage.send(conversation, 'Old', { id: old });
    await stage.deliveries.settle([sent(await stage.claimOne(sms))]);
    const waiting = await stage.send(conversation, 'Old and still to be sent', { id: idDaysAgo(41) });
    const answer = await stage.send(conversation, 'Answer', { reply_to_id: old });
    const actions = new PostgresMessageActions(database.pool);
    await actions.react(stage.scope, old, stage.memberId, '👍');
    await clean();
    expect(await count('messages')).toBe(4);
    await clean({ ...KEPT, messages: 30 });
    expect(await query('SELECT id FROM messages WHERE id = ANY ($1)', [old, waiting.id])).toEqual([
      waiting.id,
    ]);
    expect(await stage.message(answer.id)).toMatchObject({ reply_to_id: null });
    for (const table of ['deliveries', 'remote_messages', 'reactions', 'read_receipts']) {
      expect(await query(`SELECT 1 FROM ${table} WHERE message_id = $1`, old)).toEqual([]);
    }
  });

  it('reduces a conversation that was deleted 30 days ago to its ids', async () => {
    const { conversation_id: conversation } = await write('+49170005', 'Hello');
    await query(
      'SELECT delete_conversation($1)',
      JSON.stringify({
        workspace_id: stage.workspaceId,
        conversation_id: conversation,
        viewer_id: stage.memberId,
      }),
    );
    const deletedDaysAgo = async (days: number) => {
      for (const [table, key] of [
        ['messages', 'conversation_id'],
        ['conversations', 'id'],
      ])
        await query(
          `UPDATE ${table} SET deleted_at = now() - make_interval(days => $2) WHERE ${key} = $1 RETURNING id`,
          conversation,
          days,
        );
    };
    await deletedDaysAgo(29);
    await clean();
    expect(await count('messages')).toBe(1);
    await deletedDaysAgo(31);
    await clean();
    expect([await count('messages'), await count('participants')]).toEqual([0, 0]);
    expect(await query('SELECT external_id FROM links WHERE conversation_id = $1', conversation)).toEqual([
      'purged',
    ]);
  });

  it('erases a message that was deleted 30 days ago, unless its removal from the platform is pending', async () => {
    const { conversation_id: conversation, id: hello } = await write('+49170014', 'Hello');
    const told = await stage.send(conversation, 'Still to be removed there');
    await stage.deliveries.settle([sent(await stage.claimOne(sms))]);
    for (const id of [hello, told.id]) {
      await query(
        `SELECT delete_message($1, $2, $3, NULL, false)::text`,
        stage.workspaceId,
        id,
        stage.memberId,
      );
    }
    const left = () => query<string>('SELECT id FROM messages WHERE workspace_id = $1', stage.workspaceId);
    const deletedDaysAgo = (days: number) =>
      query(
        `UPDATE messages SET deleted_at = now() - make_interval(days => $2) WHERE workspace_id = $1 RETURNING id`,
        stage.workspaceId,
        days,
      );
    await deletedDaysAgo(29);
    await clean();
    expect(await left()).toHaveLength(2);
    await deletedDaysAgo(31);
    await clean();
    expect(await left()).toEqual([told.id]);
    // No connection can remove it there any more.
    await query('SELECT delete_connection($1, $2)::text', stage.workspaceId, sms);
    await clean();
    expect(await left()).toEqual([]);
  });

  it('is not blocked by rows that cannot be deleted, however many there are', async () => {
    const { conversation_id: conversation } = await write('+49170015', 'Hello');
    const stuck = async (day: number) => {
      const { id } = await stage.send(conversation, 'Still to be sent', { id: idDaysAgo(day) });
      await query(
        "UPDATE messages SET deleted_at = now() - interval '50 days' WHERE id = $1 RETURNING id",
        id,
      );
    };
    for (const day of [60, 61, 62]) await stuck(day);
    const gone = uuidv7({ msecs: Date.now() - 40 * DAY_MS });
    await stage.send(conversation, 'Old', { id: gone, note: true });
    const purged = await query<number>(
      "SELECT purge_aged(2, interval '30 days', interval '90 days', interval '30 days')",
    );
    expect(purged).toEqual([1]);
    await stage.send(conversation, 'Deleted', { id: gone, note: true });
    await query(
      "UPDATE messages SET deleted_at = now() - interval '40 days' WHERE id = $1 RETURNING id",
      gone,
    );
    expect(await query("SELECT purge_deleted_messages(2, interval '30 days')")).toEqual([1]);
    expect(await query('SELECT 1 FROM messages WHERE id = $1', gone)).toEqual([]);
  });

  it('continues at once in batches of a thousand rows until nothing is left', async () => {
    await query(
      `INSERT INTO attempts (id, workspace_id, delivery_id, link_id, fence, operation, revision, outcome)
       SELECT (left(uuid7_at(now() - interval '91 days')::text, 13) || substr(uuid7()::text, 14))::uuid, $1, uuid7(), uuid7(), 1,
         'send', 1, 'sent' FROM generate_series(1, 12000) RETURNING 1`,
      stage.workspaceId,
    );
    expect(await query("SELECT purge_aged(1000, interval '30 days', interval '90 days', NULL)")).toEqual([
      1_000,
    ]);
    const retention = new Retention(database.pool, KEPT);
    await waitFor(async () => {
      await retention.run();
      expect(await count('attempts')).toBe(0);
    });
  });

  it.each([
    ['rate_windows', "(key_id, hour) SELECT uuid7(), now() - interval '3 hours'"],
    ['rate_counters', "(id, leased_until) SELECT uuid7(), now() - interval '2 hours'"],
    [
      'agent_sessions',
      "(id, workspace_id, name, used_at) SELECT uuid7(), (SELECT id FROM workspaces LIMIT 1), 'x', now() - interval '8 days'",
    ],
  ])('continues with the next batch while expired rows are left in %s', async (table, row) => {
    await query(`DELETE FROM ${table} RETURNING 1`);
    await query(`INSERT INTO ${table} ${row} FROM generate_series(1, 5) RETURNING 1`);
    const deleted = [];
    for (let batch = 0; batch < 4; batch += 1) deleted.push(...(await query('SELECT purge_expired(2)')));
    expect(deleted).toEqual([2, 2, 1, 0]);
  });

  it('deletes records that are older than 30 days from test workspaces', async () => {
    const live = uuidv7();
    await query("INSERT INTO workspaces (id, name) VALUES ($1, 'Live') RETURNING id", live);
    await query(
      'UPDATE workspaces SET live_workspace_id = $2 WHERE id = $1 RETURNING id',
      stage.workspaceId,
      live,
    );
    const { sender_id: contact } = await write('+49170006', 'Old');
    await write('+49170007', 'New');
    const past = "now() - interval '31 days'";
    for (const table of ['messages', 'conversations', 'users']) {
      await query(
        `UPDATE ${table} SET created_at = ${past}, updated_at = ${past} WHERE workspace_id = $1 AND id NOT IN (
           SELECT id FROM messages WHERE text = 'New' UNION SELECT conversation_id FROM messages WHERE text = 'New'
           UNION SELECT sender_id FROM messages WHERE text = 'New') RETURNING id`,
        stage.workspaceId,
      );
    }
    await query(
      `UPDATE conversations SET last_message_at = ${past} WHERE workspace_id = $1 AND created_at < now() - interval '1 day' RETURNING id`,
      stage.workspaceId,
    );
    await clean();
    await clean();
    expect(await query('SELECT text FROM messages WHERE workspace_id = $1', stage.workspaceId)).toEqual([
      'New',
    ]);
    const kept = 'workspace_id = $1 AND deleted_at IS NULL';
    expect(await query(`SELECT 1 FROM conversations WHERE ${kept}`, stage.workspaceId)).toEqual([1]);
    expect(
      await query(
        `SELECT id FROM users WHERE ${kept} AND kind = 'contact' AND id = $2`,
        stage.workspaceId,
        contact,
      ),
    ).toEqual([]);
    expect(await query(`SELECT 1 FROM users WHERE ${kept} AND kind = 'contact'`, stage.workspaceId)).toEqual([
      1,
    ]);
  });
});

describe('the age limit of test workspaces', () => {
  const NAMES = "ARRAY['old', 'used', 'new']";
  const ages = `CASE WHEN n = 'new' THEN now() - interval '29 days' ELSE now() - interval '31 days' END`;
  const left = (table: string, name: string) =>
    query<string>(
      `SELECT ${name} FROM ${table} WHERE workspace_id = $1 AND deleted_at IS NULL ORDER BY 1`,
      stage.workspaceId,
    );
  const make = (statement: string) => query(`${statement} RETURNING id`, stage.workspaceId);

  beforeEach(async () => {
    const live = uuidv7();
    await query("INSERT INTO workspaces (id, name) VALUES ($1, 'Live') RETURNING id", live);
    await query(
      'UPDATE workspaces SET live_workspace_id = $2 WHERE id = $1 RETURNING id',
      stage.workspaceId,
      live,
    );
  });

  it('deletes segments and templates 30 days after their last change, unless a broadcast names them', async () => {
    for (const [table, columns, values] of [
      ['segments', 'name, kind, filter', "n, 'filter', 'kind:contact'"],
      ['templates', 'name, text', 'n, n'],
    ]) {
      await make(`INSERT INTO ${table} (id, workspace_id, ${columns}, updated_at)
        SELECT uuid7(), $1, ${values}, ${ages} FROM unnest(${NAMES}) n`);
    }
    await query(
      `INSERT INTO broadcasts (id, workspace_id, name, category, status, audience, template_id, created_by)
       SELECT uuid7(), $1, 'Named', 'marketing', 'draft', jsonb_build_object('segment_ids', jsonb_build_array(s.id)), t.id, $2
       FROM segments s, templates t WHERE s.workspace_id = $1 AND t.workspace_id = $1 AND s.name = 'used' AND t.name = 'used'
       RETURNING id`,
      stage.workspaceId,
      stage.memberId,
    );
    await clean();
    expect(await left('segments', 'name')).toEqual(['new', 'used']);
    expect(
      await query('SELECT name FROM templates WHERE workspace_id = $1 ORDER BY 1', stage.workspaceId),
    ).toEqual(['new', 'used']);
    await query(
      "UPDATE broadcasts SET updated_at = now() - interval '31 days' WHERE workspace_id = $1 RETURNING id",
      stage.workspaceId,
    );
    await clean();
    expect(await count('broadcasts')).toBe(0);
    await clean();
    expect(await left('segments', 'name')).toEqual(['new']);
  });

  it('deletes calls and tracking sessions 30 days after their end, and keeps live ones', async () => {
    const { conversation_id: conversation, sender_id: contact } = await write('+49170010', 'Hello');
    const calls = await query<string>(
      `INSERT INTO calls (id, workspace_id, conversation_id, type, status, initiator_id, ring_timeout, max_duration, ended_at)
       SELECT uuid7(), $1, $2, 'voice', s, $3, 60, 60, CASE s WHEN 'active' THEN NULL WHEN 'ended' THEN now() - interval '31 days'
         ELSE now() - interval '29 days' END FROM unnest(ARRAY['ended', 'failed', 'active']) s RETURNING id`,
      stage.workspaceId,
      conversation,
      stage.memberId,
    );
    for (const call of calls)
      await query(
        `INSERT INTO call_participants (call_id, user_id, workspace_id, join_token) VALUES ($1::uuid, $2, $3, $1::text) RETURNING 1`,
        call,
        contact,
        stage.workspaceId,
      );
    await query(
      `INSERT INTO tracking_sessions (id, workspace_id, user_id, status, interval_seconds, duration_seconds, started_by,
         consent_status, expires_at, updated_at)
       SELECT uuid7(), $1, $2, s, 15, 60, $3, 'granted', now() + interval '1 hour', now() - interval '31 days'
       FROM unnest(ARRAY['stopped', 'active']) s RETURNING id`,
      stage.workspaceId,
      contact,
      stage.memberId,
    );
    await clean();
    expect(
      await query('SELECT status FROM calls WHERE workspace_id = $1 ORDER BY status', stage.workspaceId),
    ).toEqual(['active', 'failed']);
    expect(await count('call_participants')).toBe(2);
    expect(
      await query('SELECT status FROM tracking_sessions WHERE workspace_id = $1', stage.workspaceId),
    ).toEqual(['active']);
  });

  it('deletes webhooks that had no delivery for 30 days', async () => {
    await make(`INSERT INTO webhooks (id, workspace_id, url, events, scopes, secret, secret_hint, api_version, created_by, updated_at)
      SELECT uuid7(), $1, 'https://example.test/' || n, '{call.ended}', '{calls:read}', '', '1234', '1.0',
        (SELECT id FROM users WHERE workspace_id = $1 LIMIT 1), ${ages} FROM unnest(${NAMES}) n`);
    await make(`INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_position, event_id, event, status, created_at)
      SELECT $1, id, 1, uuid7(), 'call.ended', 'succeeded', now() - interval '29 days' FROM webhooks
      WHERE workspace_id = $1 AND url LIKE '%used'`);
    await clean();
    expect(await left('webhooks', 'url')).toEqual(['https://example.test/new', 'https://example.test/used']);
    expect(await count('webhooks')).toBe(3);
    await query(
      "UPDATE webhooks SET deleted_at = now() - interval '31 days' WHERE workspace_id = $1 AND deleted_at IS NOT NULL RETURNING id",
      stage.workspaceId,
    );
    await clean();
    expect(await count('webhooks')).toBe(2);
  });

  it('does not apply to live workspaces', async () => {
    await query(
      'UPDATE workspaces SET live_workspace_id = NULL WHERE id = $1 RETURNING id',
      stage.workspaceId,
    );
    await make(`INSERT INTO segments (id, workspace_id, name, kind, filter, updated_at)
      SELECT uuid7(), $1, n, 'filter', 'kind:contact', ${ages} FROM unnest(${NAMES}) n`);
    await clean();
    expect(await left('segments', 'name')).toEqual(['new', 'old', 'used']);
  });
});

describe('totals', () => {
  const messages = () => new PostgresMessages(database.pool);
  const total = async (filter: FilterClause[] = []) => {
    const query: ListQuery = {
      limit: 20,
      sort: 'created_at',
      order: 'desc',
      filter,
      at: { mode: 'offset', page: 1 },
      count: true,
    };
    return (await messages().list(stage.scope, undefined, query)).total;
  };
  const counted = async () => {
    while ((await query<boolean>('SELECT count_insights(1000)'))[0]);
  };

  it('of messages count only the remaining ones, before and after the purge is counted', async () => {
    const { conversation_id: conversation } = await write('+49170011', 'Stays');
    await stage.send(conversation, 'Old', { id: idDaysAgo(40) });
    await stage.deliveries.settle([sent(await stage.claimOne(sms))]);
    const deleted = await stage.send(conversation, 'Old and deleted', { id: idDaysAgo(41) });
    await stage.deliveries.settle([sent(await stage.claimOne(sms))]);
    await query('UPDATE messages SET deleted_at = now() WHERE id = $1 RETURNING id', deleted.id);
    expect(await total()).toBe(2);
    await counted();
    expect(await total()).toBe(2);
    const outbound: FilterClause = {
      field: 'direction',
      negated: false,
      values: [{ operator: 'eq', value: 'outbound' }],
    };
    expect(await total([outbound])).toBe(1);
    await clean({ ...KEPT, messages: 30 });
    expect(await count('messages')).toBe(1);
    expect([await total(), await total([outbound])]).toEqual([1, 0]);
    await counted();
    expect([await total(), await total([outbound])]).toEqual([1, 0]);
  });

  it('of analytics include what was purged since', async () => {
    const { conversation_id: conversation } = await write('+49170012', 'Stays');
    await stage.send(conversation, 'Old', { id: idDaysAgo(40) });
    await stage.deliveries.settle([sent(await stage.claimOne(sms))]);
    const insights = () =>
      new InsightCounts(database.pool, stage.workspaceId).totals('messages', {
        from: new Date(Date.now() - 50 * DAY_MS),
        interval: 'day',
      });
    const before = await insights();
    expect(before).toEqual({ inbound: 1, outbound: 1 });
    await clean({ ...KEPT, messages: 30 });
    expect(await insights()).toEqual(before);
    await counted();
    expect(await insights()).toEqual(before);
  });
});

describe('an export', () => {
  const exported = async (id: string) => {
    const kinds: Record<string, unknown[]> = {};
    for await (const { kind, record } of exportUser(database.pool, id)) {
      kinds[kind] = [...(kinds[kind] ?? []), record];
    }
    return kinds;
  };

  it('holds what is known about a person, and nothing about others', async () => {
    const hello = await write('+49170008', 'Hello');
    await write('+49170009', 'Not theirs');
    const answer = await stage.send(hello.conversation_id, 'Answer');
    const known = await exported(hello.sender_id);
    expect(known.user).toMatchObject([{ id: hello.sender_id, identities: [{ external_id: '+49170008' }] }]);
    expect(known.message).toMatchObject([{ id: hello.id }, { id: answer.id }]);
    expect(known.conversation).toMatchObject([{ id: hello.conversation_id }]);
    expect(JSON.stringify(known)).not.toContain('Not theirs');
  });

  it('holds deleted messages that are kept, and addresses in broadcasts', async () => {
    const hello = await write('+49170016', 'Hello');
    await query('UPDATE messages SET deleted_at = now() WHERE id = $1 RETURNING id', hello.id);
    const recipients = ['+49170016', '+49170017'].map((address) => ({
      platform: 'sms',
      address,
      variables: { name: address },
    }));
    await query(
      `INSERT INTO broadcasts (id, workspace_id, name, category, status, audience, created_by)
       VALUES (uuid7(), $1, 'Named', 'marketing', 'draft', $2, $3) RETURNING id`,
      stage.workspaceId,
      JSON.stringify({ recipients }),
      stage.memberId,
    );
    const known = await exported(hello.sender_id);
    expect(known.message).toBeUndefined();
    expect(known.deleted_message).toMatchObject([{ id: hello.id, text: 'Hello' }]);
    expect(known.broadcast_address).toMatchObject([recipients[0]]);
  });

  it('holds sessions and keys of a member, and no secret', async () => {
    await query(
      `INSERT INTO sessions (workspace_id, user_id, token_hash, expires_at) VALUES ($1, $2, $3, now()) RETURNING id`,
      stage.workspaceId,
      stage.memberId,
      Buffer.from(`session ${stage.memberId}`),
    );
    await query(
      `INSERT INTO api_keys (id, workspace_id, user_id, name, environment, hash, hint)
       VALUES (uuid7(), $1, $2, 'Mine', 'live', $3, '1234') RETURNING id`,
      stage.workspaceId,
      stage.memberId,
      Buffer.from(`key ${stage.memberId}`),
    );
    const known = await exported(stage.memberId);
    expect(known.session).toHaveLength(1);
    expect(known.api_key).toMatchObject([{ name: 'Mine' }]);
    expect(JSON.stringify(known)).not.toContain('hash');
  });

  it('holds each of very many records once, in their order', async () => {
    const hello = await write('+49170018', 'Hello');
    await query(
      `INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status)
       SELECT uuid7(), workspace_id, conversation_id, conversation_number, sender_id, n::text, 'inbound', 'received'
       FROM messages, generate_series(1, 1200) n WHERE id = $1 RETURNING id`,
      hello.id,
    );
    const { message = [] } = await exported(hello.sender_id);
    const texts = (message as { text: string }[]).map(({ text }) => text);
    expect(texts).toEqual(['Hello', ...Array.from({ length: 1200 }, (_, n) => String(n + 1))]);
  });

  it('is refused for an unknown user', async () => {
    await expect(exported(uuidv7())).rejects.toThrow('There is no user');
  });
});
