import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PostgresConversations } from '../../../src/store/conversations/conversations.js';
import { type BridgeStage, bridgeStage, ended, sent } from '../../support/bridge.js';
import { addresses, broadcastStage } from '../../support/broadcast-stage.js';
import { HOUR_MS, InsightCounts } from '../../support/insight-counts.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let counts: InsightCounts;
let stage: BridgeStage;
let connection: string;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  stage = await bridgeStage(database.pool);
  connection = await stage.connection('alpha');
  counts = new InsightCounts(database.pool, stage.workspaceId);
});
afterAll(() => database.drop());

/** Two outbound messages, of which one fails, one inbound, and one internal. */
async function talk(chat = 'chat'): Promise<void> {
  const conversation = await stage.conversation();
  await stage.send(conversation, 'Among us');
  await stage.link(conversation, connection, chat);
  for (const text of ['Fine', 'Lost']) await stage.send(conversation, text);
  await stage.deliveries.settle([sent(await stage.claimOne(connection))]);
  await stage.deliveries.settle([ended(await stage.claimOne(connection), 'failed')]);
  await stage.post(connection, chat, 'Hello');
}

describe('counts of messages', () => {
  const expected = { internal: 1, outbound: 2, inbound: 1, failed: 1 };

  it('are the same before, during and after the counting of events', async () => {
    await talk();
    expect(await counts.totals('messages')).toEqual(expected);
    await counts.insights.count();
    expect(await counts.totals('messages')).toEqual(expected);
    await counts.allCounted();
    expect(await counts.totals('messages')).toEqual(expected);
    await talk('other');
    expect(await counts.totals('messages')).toMatchObject({ internal: 2, outbound: 4 });
    await counts.countAll();
    expect(await counts.totals('messages', { interval: 'day' })).toMatchObject({
      internal: 2,
      outbound: 4,
      failed: 2,
    });
  });

  it('are computed for days from the hourly counts when an earlier release stored none', async () => {
    await talk();
    await counts.allCounted();
    const days = () => database.pool.query('SELECT * FROM insight_days ORDER BY 1, 2, 3, 4, 5, 6');
    const { rows: before } = await days();
    expect(before.length).toBeGreaterThan(0);
    const file = new URL('../../../src/store/schema/0032_insight_days.sql', import.meta.url);
    await database.pool.query(`DROP TABLE insight_days; ${await readFile(file, 'utf8')}`);
    expect((await days()).rows).toEqual(before);
    await database.pool.query('SELECT protect_workspaces(), protect_conversations()');
    expect(await counts.totals('messages')).toEqual(expected);
  });

  it('are reported by platform, by present status, and by author', async () => {
    for (const counted of [false, true]) {
      if (!counted) await talk();
      else await counts.countAll();
      expect(await counts.totals('messages', { groupBy: 'platform' })).toEqual({
        'alpha inbound': 1,
        'alpha outbound': 2,
        'alpha failed': 1,
        'null internal': 1,
      });
      expect(await counts.totals('messages', { groupBy: 'status' })).toEqual({
        'received inbound': 1,
        'sent outbound': 1,
        'sent internal': 1,
        'failed outbound': 1,
        'failed failed': 1,
      });
      expect(await counts.totals('messages', { groupBy: 'agent' })).toEqual({
        'null inbound': 1,
        [`${stage.memberId} outbound`]: 2,
        [`${stage.memberId} internal`]: 1,
        [`${stage.memberId} failed`]: 1,
      });
    }
  });

  it('follow a status that changes after the message was counted', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'chat');
    await stage.send(conversation, 'Hi');
    await counts.countAll();
    expect(await counts.totals('messages', { groupBy: 'status' })).toEqual({ 'queued outbound': 1 });
    await stage.deliveries.settle([sent(await stage.claimOne(connection))]);
    expect(await counts.totals('messages', { groupBy: 'status' })).toEqual({ 'sent outbound': 1 });
    await counts.countAll();
    expect(await counts.totals('messages', { groupBy: 'status' })).toEqual({ 'sent outbound': 1 });
  });

  it('are limited to the workspace and the period', async () => {
    await talk();
    await counts.countAll();
    expect(await counts.totals('messages', { workspaceId: connection })).toEqual({});
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const at = (hours: number) => new Date(hour + hours * HOUR_MS);
    for (const interval of ['hour', 'day'] as const) {
      expect(await counts.totals('messages', { from: at(-48), to: at(-1), interval })).toEqual({});
      expect(await counts.totals('messages', { from: at(2), to: at(72), interval })).toEqual({});
      expect(await counts.totals('messages', { from: at(-72), to: at(72), interval })).toEqual(expected);
      const [first] = await counts.read('messages', { from: at(-72), to: at(72), interval });
      const width = interval === 'day' ? 24 * HOUR_MS : HOUR_MS;
      expect(Date.parse(first?.start ?? '') % width).toBe(0);
    }
  });
});

describe('other counts', () => {
  it('include conversations by status, and each time one was resolved', async () => {
    const { pool } = database;
    const id = await stage.conversation();
    await pool.query('SELECT announce_conversation(c) FROM conversations c WHERE id = $1', [id]);
    const conversations = new PostgresConversations(pool);
    for (const status of ['resolved', 'open', 'resolved'] as const) {
      await conversations.change(stage.scope, id, stage.memberId, { status });
    }
    for (const counted of [false, true]) {
      if (counted) await counts.countAll();
      expect(await counts.totals('conversations', { groupBy: 'status' })).toEqual({
        'resolved created': 1,
        'resolved resolved': 2,
      });
    }
  });

  it('include conversations that a broadcast starts without a subscriber for their events', async () => {
    const broadcasts = await broadcastStage(database.pool);
    stage = broadcasts;
    counts = new InsightCounts(database.pool, stage.workspaceId);
    await database.pool.query('DELETE FROM event_interest WHERE workspace_id = $1', [stage.workspaceId]);
    await stage.connection('alpha');
    const id = await broadcasts.create({ audience: { recipients: addresses('alpha', 3) } });
    await broadcasts.step(id, 2);
    const [first = ''] = await values<string>(
      database.pool,
      'SELECT id FROM conversations WHERE workspace_id = $1',
      [stage.workspaceId],
    );
    for (const [status, was, counted] of [
      ['resolved', { 'alpha created': 3 }, false],
      ['open', { 'alpha created': 3, 'alpha resolved': 1 }, true],
    ] as const) {
      if (counted) await counts.countAll();
      expect(await counts.totals('conversations', { groupBy: 'platform' })).toEqual(was);
      await new PostgresConversations(database.pool).change(stage.scope, first, stage.memberId, { status });
    }
    expect(await counts.totals('conversations', { groupBy: 'status' })).toEqual({
      'open created': 3,
      'resolved resolved': 1,
    });
  });

  it('include calls according to their events', async () => {
    const tell = (type: string, more: object) =>
      database.pool.query('INSERT INTO events (workspace_id, type, data) VALUES ($1, $2, $3)', [
        stage.workspaceId,
        `call.${type}`,
        JSON.stringify({
          id: connection,
          platform: 'webrtc',
          initiator_id: stage.memberId,
          started_at: new Date().toISOString(),
          ...more,
        }),
      ]);
    await tell('created', { status: 'initiated', answered_at: null, duration: null });
    expect(await counts.totals('calls')).toEqual({ started: 1 });
    await tell('answered', { status: 'active', answered_at: new Date().toISOString(), duration: null });
    await counts.countAll();
    await tell('ended', { status: 'ended', answered_at: new Date().toISOString(), duration: 42 });
    expect(await counts.totals('calls')).toEqual({ started: 1, answered: 1, duration_seconds: 42 });
    await counts.countAll();
    expect(await counts.totals('calls', { groupBy: 'platform' })).toEqual({
      'webrtc started': 1,
      'webrtc answered': 1,
      'webrtc duration_seconds': 42,
    });
  });

  it('include an event that is committed after a later one was counted', async () => {
    const { pool } = database;
    const slow = await pool.connect();
    const insert = `INSERT INTO events (workspace_id, type, data) SELECT $1, 'call.created',
      json_build_object('id', uuid7(), 'status', 'initiated', 'started_at', now())`;
    await slow.query('BEGIN');
    await slow.query(insert, [stage.workspaceId]);
    await pool.query(insert, [stage.workspaceId]);
    await counts.countAll();
    expect(await counts.totals('calls')).toEqual({ started: 1 });
    await slow.query('COMMIT');
    slow.release();
    expect(await counts.totals('calls')).toEqual({ started: 2 });
    await counts.allCounted();
    expect(await counts.totals('calls')).toEqual({ started: 2 });
  });

  it('include webhook attempts', async () => {
    const { pool } = database;
    await pool.query(
      `WITH hook AS (INSERT INTO webhooks (id, workspace_id, url, events, scopes, secret, secret_hint, api_version, created_by)
         VALUES (uuid7(), $1, 'x', '{}', '{}', '', '', '1.0', $2) RETURNING id)
       INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_position, event_id, event, next_attempt_at)
       SELECT $1, id, n, uuid7(), 'x', now() FROM hook, generate_series(1, 2) n`,
      [stage.workspaceId, stage.memberId],
    );
    const attempt = (status: string) =>
      pool.query(
        `UPDATE webhook_deliveries SET tries = tries + 1, status = $2
         WHERE workspace_id = $1 AND event_position = CASE $2 WHEN 'succeeded' THEN 1 ELSE 2 END`,
        [stage.workspaceId, status],
      );
    for (const status of ['succeeded', 'pending', 'dead']) await attempt(status);
    expect(await counts.totals('webhooks')).toEqual({ attempts: 3, succeeded: 1, failed: 2 });
    await counts.countAll();
    expect(await values(pool, 'SELECT id FROM insight_changes')).toEqual([]);
    expect(await counts.totals('webhooks')).toEqual({ attempts: 3, succeeded: 1, failed: 2 });
  });

  it('include broadcasts with their own counts', async () => {
    await database.pool.query(
      `INSERT INTO broadcasts (id, workspace_id, name, status, audience, created_by, started_at, platforms, counts)
       VALUES (uuid7(), $1, 'x', 'completed', '{}', $2, now(), '{sms}', '{"total":9,"pending":0,"sent":1,"delivered":2,
         "read":3,"failed":3,"uncertain":0,"skipped":0,"canceled":0,"expired":0}')`,
      [stage.workspaceId, stage.memberId],
    );
    expect(await counts.totals('broadcasts', { groupBy: 'platform' })).toEqual({
      'sms started': 1,
      'sms recipients': 9,
      'sms sent': 1,
      'sms delivered': 2,
      'sms read': 3,
      'sms failed': 3,
    });
  });
});
