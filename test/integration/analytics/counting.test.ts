import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnalyticsResource } from '../../../src/core/analytics/record.js';
import type { Amount, InsightQuery } from '../../../src/core/ports/insights.js';
import { PostgresConversations } from '../../../src/store/conversations.js';
import { PostgresInsights } from '../../../src/store/insights.js';
import { type BridgeStage, bridgeStage, ended, sent } from '../../support/bridge.js';
import { addresses, broadcastStage } from '../../support/broadcast-stage.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let insights: PostgresInsights;
let stage: BridgeStage;
let connection: string;

const HOUR_MS = 3_600_000;
const read = (resource: AnalyticsResource, more: Partial<InsightQuery> = {}): Promise<readonly Amount[]> =>
  insights.read({
    workspaceId: stage.workspaceId,
    resource,
    from: new Date(Date.now() - 24 * HOUR_MS),
    to: new Date(Date.now() + HOUR_MS),
    interval: 'hour',
    groupBy: null,
    ...more,
  });
const totals = async (resource: AnalyticsResource, more: Partial<InsightQuery> = {}) => {
  const found: Record<string, number> = {};
  for (const { group, measure, amount } of await read(resource, more)) {
    const name = more.groupBy === undefined ? measure : `${group} ${measure}`;
    found[name] = (found[name] ?? 0) + amount;
  }
  return found;
};
/** As often as it takes, with the pause in between left out. */
const countAll = async () => {
  for (let round = 0; round < 6; round += 1) {
    while (await insights.count());
    await database.pool.query(`UPDATE insight_progress SET sampled_at = now() - interval '2 s'`);
  }
};
const uncounted = async () =>
  (
    await values<string>(
      database.pool,
      'SELECT count(*) FROM events WHERE position > (SELECT position FROM insight_progress)',
    )
  )[0];

/** Once all transactions that began before are over, those of other databases of the server included. */
const allCounted = () =>
  vi.waitFor(
    async () => {
      await countAll();
      expect(await uncounted()).toBe('0');
    },
    { timeout: 15_000, interval: 10 },
  );

beforeAll(async () => {
  database = await testDatabase();
  insights = new PostgresInsights(database.pool);
});
beforeEach(async () => {
  stage = await bridgeStage(database.pool);
  connection = await stage.connection('alpha');
});
afterAll(() => database.drop());

/** Two messages out, of which one fails, one in, one internal. */
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

  it('are the same before events are counted, in between and after', async () => {
    await talk();
    expect(await totals('messages')).toEqual(expected);
    await insights.count();
    expect(await totals('messages')).toEqual(expected);
    await allCounted();
    expect(await totals('messages')).toEqual(expected);
    await talk('other');
    expect(await totals('messages')).toMatchObject({ internal: 2, outbound: 4 });
    await countAll();
    expect(await totals('messages', { interval: 'day' })).toMatchObject({
      internal: 2,
      outbound: 4,
      failed: 2,
    });
  });

  it('are told by platform, by status as it is now, and by who wrote', async () => {
    for (const counted of [false, true]) {
      if (!counted) await talk();
      else await countAll();
      expect(await totals('messages', { groupBy: 'platform' })).toEqual({
        'alpha inbound': 1,
        'alpha outbound': 2,
        'alpha failed': 1,
        'null internal': 1,
      });
      expect(await totals('messages', { groupBy: 'status' })).toEqual({
        'received inbound': 1,
        'sent outbound': 1,
        'sent internal': 1,
        'failed outbound': 1,
        'failed failed': 1,
      });
      expect(await totals('messages', { groupBy: 'agent' })).toEqual({
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
    await countAll();
    expect(await totals('messages', { groupBy: 'status' })).toEqual({ 'queued outbound': 1 });
    await stage.deliveries.settle([sent(await stage.claimOne(connection))]);
    expect(await totals('messages', { groupBy: 'status' })).toEqual({ 'sent outbound': 1 });
    await countAll();
    expect(await totals('messages', { groupBy: 'status' })).toEqual({ 'sent outbound': 1 });
  });

  it('are those of the workspace and of the time alone', async () => {
    await talk();
    await countAll();
    expect(await totals('messages', { workspaceId: connection })).toEqual({});
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const at = (hours: number) => new Date(hour + hours * HOUR_MS);
    for (const interval of ['hour', 'day'] as const) {
      expect(await totals('messages', { from: at(-48), to: at(-1), interval })).toEqual({});
      expect(await totals('messages', { from: at(2), to: at(72), interval })).toEqual({});
      expect(await totals('messages', { from: at(-72), to: at(72), interval })).toEqual(expected);
      const [first] = await read('messages', { from: at(-72), to: at(72), interval });
      const width = interval === 'day' ? 24 * HOUR_MS : HOUR_MS;
      expect((first?.start.getTime() ?? 1) % width).toBe(0);
    }
  });
});

describe('counts of other things', () => {
  it('are conversations by their state, and each time one was resolved', async () => {
    const { pool } = database;
    const id = await stage.conversation();
    await pool.query('SELECT announce_conversation(c) FROM conversations c WHERE id = $1', [id]);
    const conversations = new PostgresConversations(pool);
    for (const status of ['resolved', 'open', 'resolved'] as const) {
      await conversations.change(stage.scope, id, stage.memberId, { status });
    }
    for (const counted of [false, true]) {
      if (counted) await countAll();
      expect(await totals('conversations', { groupBy: 'status' })).toEqual({
        'resolved created': 1,
        'resolved resolved': 2,
      });
    }
  });

  it('are conversations that a broadcast begins where nobody hears of them', async () => {
    const broadcasts = await broadcastStage(database.pool);
    stage = broadcasts;
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
      if (counted) await countAll();
      expect(await totals('conversations', { groupBy: 'platform' })).toEqual(was);
      await new PostgresConversations(database.pool).change(stage.scope, first, stage.memberId, { status });
    }
    expect(await totals('conversations', { groupBy: 'status' })).toEqual({
      'open created': 3,
      'resolved resolved': 1,
    });
  });

  it('are calls as their events tell of them', async () => {
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
    expect(await totals('calls')).toEqual({ started: 1 });
    await tell('answered', { status: 'active', answered_at: new Date().toISOString(), duration: null });
    await countAll();
    await tell('ended', { status: 'ended', answered_at: new Date().toISOString(), duration: 42 });
    expect(await totals('calls')).toEqual({ started: 1, answered: 1, duration_seconds: 42 });
    await countAll();
    expect(await totals('calls', { groupBy: 'platform' })).toEqual({
      'webrtc started': 1,
      'webrtc answered': 1,
      'webrtc duration_seconds': 42,
    });
  });

  it('miss no event that is committed after a later one was counted', async () => {
    const { pool } = database;
    const slow = await pool.connect();
    const insert = `INSERT INTO events (workspace_id, type, data) SELECT $1, 'call.created',
      json_build_object('id', uuid7(), 'status', 'initiated', 'started_at', now())`;
    await slow.query('BEGIN');
    await slow.query(insert, [stage.workspaceId]);
    await pool.query(insert, [stage.workspaceId]);
    await countAll();
    expect(await totals('calls')).toEqual({ started: 1 });
    await slow.query('COMMIT');
    slow.release();
    expect(await totals('calls')).toEqual({ started: 2 });
    await allCounted();
    expect(await totals('calls')).toEqual({ started: 2 });
  });

  it('are tries at webhooks', async () => {
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
    expect(await totals('webhooks')).toEqual({ attempts: 3, succeeded: 1, failed: 2 });
    await countAll();
    expect(await values(pool, 'SELECT id FROM insight_changes')).toEqual([]);
    expect(await totals('webhooks')).toEqual({ attempts: 3, succeeded: 1, failed: 2 });
  });

  it('are broadcasts with the counts they keep', async () => {
    await database.pool.query(
      `INSERT INTO broadcasts (id, workspace_id, name, status, audience, created_by, started_at, platforms, counts)
       VALUES (uuid7(), $1, 'x', 'completed', '{}', $2, now(), '{sms}', '{"total":9,"pending":0,"sent":1,"delivered":2,
         "read":3,"failed":3,"uncertain":0,"skipped":0,"canceled":0,"expired":0}')`,
      [stage.workspaceId, stage.memberId],
    );
    expect(await totals('broadcasts', { groupBy: 'platform' })).toEqual({
      'sms started': 1,
      'sms recipients': 9,
      'sms sent': 1,
      'sms delivered': 2,
      'sms read': 3,
      'sms failed': 3,
    });
  });
});
