import { describe, expect, it } from 'vitest';
import type { BridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { countedStage, type InsightCounts } from '../../support/insight-counts.js';

let stage: BridgeStage;
let counts: InsightCounts;
let connection: string;

beforeEachOn(async ({ pool }) => {
  ({ stage, counts, connection } = await countedStage(pool));
});

/** As the erasure of a person does with the events about them. */
const cutEvents = () =>
  stage.pool.query(`UPDATE events SET data = reduce_to_ids(data), extra = NULL WHERE workspace_id = $1`, [
    stage.workspaceId,
  ]);

describe('an event that was erased before it was counted', () => {
  it('is counted with the data of its conversation', async () => {
    await stage.post(connection, 'gone', 'Hello');
    await stage.post(connection, 'here', 'Hello');
    const before = await counts.totals('conversations', { groupBy: 'platform' });
    expect(before).toEqual({ 'alpha created': 2 });
    await cutEvents();
    expect(await counts.totals('conversations', { groupBy: 'platform' })).toEqual(before);
    await counts.allCounted();
    expect(await counts.totals('conversations', { groupBy: 'platform' })).toEqual(before);
  });

  it('is counted with the data of its call', async () => {
    const made = `INSERT INTO calls (id, workspace_id, conversation_id, initiator_id, type, status, end_reason, ring_timeout,
        max_duration, started_at, answered_at, ended_at)
      VALUES (uuid7(), $1, $2, $3, 'voice', 'ended', 'completed', 60, 60, now() - interval '50 s', now() - interval '42 s', now()) RETURNING id`;
    const values = [stage.workspaceId, await stage.conversation(), stage.memberId];
    const { rows } = await stage.pool.query<{ id: string }>(made, values);
    await stage.pool.query('INSERT INTO events (workspace_id, type, data) VALUES ($1, $2, $3)', [
      stage.workspaceId,
      'call.created',
      JSON.stringify({ id: rows[0]?.id, truncated: true }),
    ]);
    const found = { 'webrtc started': 1, 'webrtc answered': 1, 'webrtc duration_seconds': 42 };
    expect(await counts.totals('calls', { groupBy: 'platform' })).toEqual(found);
    await counts.allCounted();
    expect(await counts.totals('calls', { groupBy: 'platform' })).toEqual(found);
  });

  it('does not block the counting when nothing is left of it', async () => {
    await stage.post(connection, 'gone', 'Hello');
    await cutEvents();
    await stage.pool.query(`UPDATE events SET data = '{"id":"${crypto.randomUUID()}","truncated":true}'`);
    await stage.post(connection, 'here', 'Hello');
    await counts.allCounted();
    expect(await counts.totals('conversations')).toEqual({ created: 1 });
  });
});
