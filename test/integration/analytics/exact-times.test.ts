import { expect, it } from 'vitest';
import type { BridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { countedStage, type InsightCounts } from '../../support/insight-counts.js';
import { values } from '../../support/people.js';

/** Counts are stored by the hour. A read covers exactly the requested period. */

let stage: BridgeStage;
let counts: InsightCounts;
let connection: string;

beforeEachOn(async ({ pool }) => {
  ({ stage, counts, connection } = await countedStage(pool));
});

/** A time after all records so far and before all that follow. */
async function moment(): Promise<Date> {
  const [at] = await values<Date>(stage.pool, 'SELECT clock_timestamp() FROM pg_sleep(0.005)', []);
  // The next record falls into another millisecond.
  await stage.pool.query('SELECT pg_sleep(0.005)');
  return new Date(Math.floor((at ?? new Date()).getTime()));
}

it.each([false, true])(
  'a period starts and ends exactly, even in the middle of an hour: counted before %s',
  async (counted) => {
    const conversation = await stage.conversation();
    await stage.pool.query('SELECT announce_conversation(c) FROM conversations c WHERE id = $1', [
      conversation,
    ]);
    await stage.post(connection, 'before', 'Hello');
    await stage.send(conversation, 'before');
    const from = await moment();
    for (const chat of ['one', 'two']) await stage.post(connection, chat, 'Hello');
    const { id } = await stage.send(conversation, 'within');
    await stage.messages.delete(stage.scope, id, stage.memberId);
    const to = await moment();
    await stage.post(connection, 'after', 'Hello');
    for (const text of ['after', 'and after']) await stage.send(conversation, text);
    if (counted) await counts.allCounted();

    for (const interval of ['hour', 'day'] as const) {
      const of = (more: { from?: Date; to?: Date }) => counts.totals('messages', { ...more, interval });
      expect(await of({})).toEqual({ inbound: 4, internal: 4 });
      expect(await of({ from })).toEqual({ inbound: 3, internal: 3 });
      expect(await of({ to })).toEqual({ inbound: 3, internal: 2 });
      expect(await of({ from, to })).toEqual({ inbound: 2, internal: 1 });
      expect(await of({ from: to, to: new Date(to.getTime() + 1) })).toEqual({});
      expect(await counts.totals('conversations', { from, to, interval })).toEqual({ created: 2 });
    }
  },
);

it('a period of calls starts and ends exactly', async () => {
  const call = (at: string) =>
    stage.pool.query(
      `WITH made AS (
         INSERT INTO calls (id, workspace_id, conversation_id, initiator_id, type, status, end_reason, ring_timeout, max_duration,
           created_at, started_at, answered_at, ended_at)
         VALUES (uuid7(), $1, $2, $3, 'voice', 'ended', 'completed', 60, 60, $4, $4, $4, $4::timestamptz + interval '7 s') RETURNING *)
       INSERT INTO events (workspace_id, type, data)
       SELECT workspace_id, 'call.created', json_build_object('id', id, 'status', status, 'platform', platform, 'started_at',
         started_at, 'answered_at', answered_at, 'duration', duration, 'initiator_id', initiator_id) FROM made`,
      [stage.workspaceId, conversation, stage.memberId, at],
    );
  const conversation = await stage.conversation();
  for (const at of ['2026-01-05T10:10:00Z', '2026-01-05T10:20:00Z', '2026-01-05T11:50:00Z']) await call(at);
  const from = new Date('2026-01-05T10:20:00Z');
  const of = (to: string) => counts.totals('calls', { from, to: new Date(to) });
  expect(await of('2026-01-05T11:50:00Z')).toEqual({ started: 1, answered: 1, duration_seconds: 7 });
  expect(await of('2026-01-05T11:50:01Z')).toEqual({ started: 2, answered: 2, duration_seconds: 14 });
});

it('an old conversation that changed its status after it was counted makes no amount negative', async () => {
  const created = async (at: string, status: string) => {
    const conversation = await stage.conversation();
    await stage.pool.query(
      `WITH made AS (UPDATE conversations SET created_at = $2, status = $3 WHERE id = $1 RETURNING *)
       INSERT INTO events (workspace_id, type, data) SELECT workspace_id, 'conversation.created',
         json_build_object('id', id, 'status', status, 'created_at', created_at) FROM made`,
      [conversation, at, status],
    );
    return conversation;
  };
  const changed = await created('2026-01-05T10:10:00Z', 'open');
  await created('2026-01-05T11:10:00Z', 'resolved');
  await counts.allCounted();
  await stage.pool.query(`UPDATE conversations SET status = 'resolved' WHERE id = $1`, [changed]);
  const [from, to] = ['2026-01-05T10:20:00Z', '2026-01-05T12:00:00Z'].map((at) => new Date(at));
  const [first, second] = ['2026-01-05T10:00:00.000Z', '2026-01-05T11:00:00.000Z'];
  const amount = { measure: 'created', amount: 1 };
  const byStatus = await counts.read('conversations', { from, to, groupBy: 'status' });
  expect(new Set(byStatus)).toEqual(
    new Set([
      { start: first, group: 'open', ...amount },
      { start: second, group: 'resolved', ...amount },
    ]),
  );
  expect(await counts.read('conversations', { from, to })).toEqual([
    { start: second, group: null, ...amount },
  ]);
});
