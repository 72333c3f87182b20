import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceStepRecord, TraceStepType } from '../../../src/core/messages/trace.js';
import { type BridgeStage, bridgeStage, ended, sent } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';
import { typesOf } from '../../support/traces.js';

let stage: BridgeStage;
let connection: string;
let conversation: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  conversation = await stage.conversation();
});

async function steps(id: string): Promise<readonly TraceStepRecord[]> {
  return (await stage.messages.trace(stage.workspaceId, id)).steps;
}

const receipt = (messageId: string, status: string) =>
  stage.report(connection, { type: 'receipt', chat: { id: 'a', kind: 'direct' }, messageId, status });

const part = (index: number) => ({ index, kind: 'text', status: 'sent', external_id: `p-${index}` }) as const;

describe('the trace of a message', () => {
  it('begins with the envelope of a message from a platform and follows its copies', async () => {
    const other = await stage.connection('beta');
    const { message: first } = await stage.post(connection, 'a', 'Hello', { kind: 'direct' });
    await stage.link(String(first?.conversation_id), other, 'b');
    const { message } = await stage.post(connection, 'a', 'Again', { kind: 'direct', messageId: 'in-2' });
    await stage.deliveries.settle([sent(await stage.claimOne(other))]);
    const shown = await steps(String(message?.id));
    expect(shown[0]).toMatchObject({
      type: 'envelope_received',
      status: 'processed',
      tries: 1,
      connection_id: connection,
      external_id: 'in-2',
    });
    expect(shown[1]).toMatchObject({ type: 'message_accepted', direction: 'inbound', platform: 'alpha' });
    expect(typesOf(shown)).toEqual(
      expect.arrayContaining(['delivery_created', 'attempt_started', 'part_sent', 'delivery_sent']),
    );
    expect(shown.filter(({ event }) => event === 'message.created')).toHaveLength(1);
  });

  it('names the envelope of a message whose envelope had to wait', async () => {
    const event = {
      type: 'message',
      at: '2026-01-01T00:00:00.000Z',
      chat: { id: 'late', kind: 'group' },
      sender: { id: 'ann', displayName: 'ann' },
      content: { text: 'Late', spans: [], attachments: [] },
      messageId: 'late-1',
    };
    await stage.inbound.receive(
      connection,
      { dedupeKey: 'late-1', lane: 'late', payload: {} },
      [],
      'pending',
    );
    const [envelope] = await values<string>(stage.pool, `SELECT id FROM envelopes WHERE status = 'pending'`);
    await stage.pool.query('SELECT retry_envelope($1, $2)', [envelope, JSON.stringify([event])]);
    const shown = await steps(String(envelope));
    expect(typesOf(shown).slice(0, 2)).toEqual(['envelope_received', 'message_accepted']);
    expect(Date.parse(String(shown[0]?.at))).toBeLessThanOrEqual(Date.parse(String(shown[1]?.at)));
  });

  it('shows each part of a message with its id on the platform, and the receipts', async () => {
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'Two parts');
    const task = await stage.claimOne(connection);
    await stage.deliveries.progress(task, [part(0)]);
    await stage.deliveries.settle([{ ...sent(task), parts: [part(0), part(1)] }]);
    await receipt('p-0', 'read');
    await receipt('p-1', 'read');
    const shown = await steps(id);
    expect(shown.find(({ type }) => type === 'parts_planned')).toMatchObject({ parts: 2, degradations: [] });
    expect(shown.filter(({ type }) => type === 'part_sent')).toMatchObject([
      { part: 0, external_id: 'p-0', status: 'read' },
      { part: 1, external_id: 'p-1', status: 'read' },
    ]);
    expect(typesOf(shown)).toEqual(
      expect.arrayContaining(['delivery_sent', 'delivery_delivered', 'delivery_read']),
    );
    expect(shown.find(({ type }) => type === 'delivery_created')).toMatchObject({
      connection_id: connection,
      platform: 'alpha',
      external_id: 'a',
    });
  });

  it('keeps every attempt of a message that failed after retries, with what the platform answered', async () => {
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'x');
    await stage.deliveries.settle([ended(await stage.claimOne(connection), 'queued', { attempt_count: 1 })]);
    await stage.deliveries.settle([ended(await stage.claimOne(connection), 'failed', { attempt_count: 2 })]);
    const shown = await steps(id);
    const error = { code: 'network', message: 'Lost.', permanent: false, platform_code: null };
    expect(shown.filter(({ type }) => type === 'attempt_finished')).toMatchObject([
      { operation: 'send', status: 'retry', error },
      { operation: 'send', status: 'failed', error },
    ]);
    expect(shown.find(({ type }) => type === 'delivery_failed')).toMatchObject({ status: 'failed', error });
    const attempts = shown.filter(({ attempt_id: attempt }) => attempt !== null);
    expect(new Set(attempts.map(({ attempt_id: attempt }) => attempt)).size).toBe(2);
  });

  it('shows that the outcome was uncertain, and how that was resolved', async () => {
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'x');
    await stage.deliveries.settle([ended(await stage.claimOne(connection), 'uncertain')]);
    expect((await steps(id)).find(({ type }) => type === 'delivery_uncertain')?.resolution).toBeNull();
    const delivery = await stage.delivery(id);
    await stage.pool.query('SELECT resolve_delivery($1)', [
      JSON.stringify({ workspace_id: stage.workspaceId, delivery_id: delivery.id, outcome: 'sent' }),
    ]);
    const shown = await steps(id);
    expect(shown.find(({ type }) => type === 'delivery_uncertain')?.resolution).toBe('manual');
    expect(typesOf(shown)).toContain('delivery_sent');
    expect(shown.map(({ event }) => event)).toContain('delivery.uncertain');
  });

  it('shows edits, and has the same fields in every step', async () => {
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'One');
    await stage.messages.edit(stage.scope, id, { text: 'Two' });
    await stage.messages.edit(stage.scope, id, { text: 'Three' });
    const shown = await steps(id);
    expect(shown.filter(({ type }) => type === 'message_edited').map(({ revision }) => revision)).toEqual([
      2, 3,
    ]);
    expect(new Set(shown.map((step) => Object.keys(step).length)).size).toBe(1);
  });

  it('is visible only in its workspace, and is empty once the message is deleted', async () => {
    const { id } = await stage.send(conversation, 'x');
    expect(await steps(id)).not.toEqual([]);
    expect((await stage.messages.trace(crypto.randomUUID(), id)).steps).toEqual([]);
    await stage.messages.delete(stage.scope, id, stage.memberId);
    expect(await steps(id)).toEqual([]);
  });

  it('has a bounded number of steps and says that there are more', async () => {
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'x');
    await stage.pool.query(
      `INSERT INTO attempts (workspace_id, delivery_id, link_id, fence, operation, revision, finished_at, outcome)
       SELECT d.workspace_id, d.id, d.link_id, 1, 'send', 1, clock_timestamp(), 'retry'
       FROM deliveries d, generate_series(1, 600) WHERE d.message_id = $1`,
      [id],
    );
    const trace = await stage.messages.trace(stage.workspaceId, id);
    expect([trace.steps.length, trace.truncated]).toEqual([500, true]);
  });
});

describe('the trace of a message with any history', () => {
  /** The results of the platform, one after the other until the message is sent. */
  const outcomes = fc.array(fc.constantFrom('queued', 'progress'), { maxLength: 4 });
  const reports = fc.array(fc.constantFrom('delivered', 'read'), { maxLength: 3 });
  const ends = fc.constantFrom('sent', 'failed', 'uncertain', 'open');

  it('is ordered by time, and has one step for each time in the rows', async () => {
    await stage.link(conversation, connection, 'a');
    let n = 0;
    await fc.assert(
      fc.asyncProperty(outcomes, ends, reports, fc.nat(2), async (tries, end, states, edits) => {
        n += 1;
        const { id } = await stage.send(conversation, `Message ${n}`);
        for (let edit = 0; edit < edits; edit += 1)
          await stage.messages.edit(stage.scope, id, { text: `Message ${n}, edit ${edit}` });
        const written = { ...part(0), external_id: `m-${n}` };
        for (const attempt of tries) {
          const task = await stage.claimOne(connection);
          if (attempt === 'progress') await stage.deliveries.progress(task, [written]);
          await stage.deliveries.settle([{ ...ended(task, 'queued'), parts: task.parts }]);
        }
        const task = await stage.claimOne(connection);
        if (end === 'sent') await stage.deliveries.settle([{ ...sent(task), parts: [written] }]);
        else if (end !== 'open') await stage.deliveries.settle([ended(task, end)]);
        for (const state of states) await receipt(`m-${n}`, state);
        await check(id);
        await stage.pool.query(`UPDATE links SET leased_until = NULL WHERE workspace_id = $1`, [
          stage.workspaceId,
        ]);
        await stage.pool.query(
          `UPDATE deliveries SET status = 'canceled', next_attempt_at = NULL WHERE workspace_id = $1
           AND status IN ('queued', 'sending', 'uncertain')`,
          [stage.workspaceId],
        );
        await check(id);
      }),
      { numRuns: 40 },
    );
  });

  async function check(id: string): Promise<void> {
    const shown = await steps(id);
    const times = shown.map(({ at }) => Date.parse(at));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const [expected] = await values<Record<TraceStepType, number>>(stage.pool, COUNTED, [id]);
    const counts: Record<string, number> = {};
    for (const { type } of shown) counts[type] = (counts[type] ?? 0) + 1;
    for (const [type, count] of Object.entries(expected ?? {}))
      expect([type, counts[type] ?? 0]).toEqual([type, count]);
  }

  const COUNTED = `
    SELECT jsonb_build_object(
      'message_accepted', 1,
      'message_edited', m.revision - 1,
      'delivery_created', (SELECT count(*) FROM deliveries WHERE message_id = m.id),
      'attempt_started', count(a.id),
      'attempt_finished', count(a.finished_at),
      'parts_planned', (SELECT count(DISTINCT p.delivery_id) FROM delivery_parts p WHERE p.delivery_id = d.id),
      'part_sent', (SELECT count(p.sent_at) FROM delivery_parts p WHERE p.delivery_id = d.id),
      'delivery_sent', (d.sent_at IS NOT NULL)::int,
      'delivery_delivered', (d.delivered_at IS NOT NULL)::int,
      'delivery_read', (d.read_at IS NOT NULL)::int,
      'delivery_uncertain', (d.uncertain_at IS NOT NULL)::int,
      'delivery_failed', (d.failed_at IS NOT NULL)::int,
      'delivery_canceled', (d.status = 'canceled')::int,
      'event_recorded', (SELECT count(*) FROM events e WHERE m.id::text IN (e.data->>'id', e.data->>'message_id')))
    FROM messages m JOIN deliveries d ON d.message_id = m.id LEFT JOIN attempts a ON a.delivery_id = d.id
    WHERE m.id = $1 GROUP BY m.id, d.id`;
});
