import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage, ended, sent } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { eventsOf, values } from '../../support/people.js';

let stage: BridgeStage;
let connection: string;
let conversation: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  conversation = await stage.conversation();
});

type State = 'sent' | 'delivered' | 'read' | 'failed';
const failure = { reason: 'platform_error', message: 'Refused late.' };

function receipt(messageId: string, status: State, chat = 'a', reason = failure.reason): Promise<void> {
  return stage.report(connection, {
    type: 'receipt',
    chat: { id: chat, kind: 'direct' },
    messageId,
    status,
    ...(status === 'failed' ? { failure: { ...failure, reason } } : {}),
  });
}

async function sentMessage(externalId: string): Promise<string> {
  const message = await stage.send(conversation, 'Hello');
  await stage.deliveries.settle([sent(await stage.claimOne(connection), externalId)]);
  return message.id;
}

const status = async (id: string) => (await stage.message(id)).status;

describe('receipts of the platform', () => {
  it('move a delivery forward only, whatever their order and repetition', async () => {
    await stage.link(conversation, connection, 'a');
    let n = 0;
    const states = fc.array(fc.constantFrom<State>('sent', 'delivered', 'read', 'failed'), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(states, fc.boolean(), async (reported, early) => {
        n += 1;
        const externalId = `m-${n}`;
        if (early) for (const state of reported) await receipt(externalId, state);
        const id = await sentMessage(externalId);
        if (!early) for (const state of reported) await receipt(externalId, state);
        expect(await status(id)).toBe(furthest(reported));
      }),
      { numRuns: 40 },
    );
    expect(
      await values(stage.pool, 'SELECT 1 FROM parked_events WHERE connection_id = $1', [connection]),
    ).toEqual([]);
  });

  function furthest(reported: readonly State[]): State {
    return (['read', 'delivered', 'failed'] as const).find((state) => reported.includes(state)) ?? 'sent';
  }

  it('wait when they arrive before the record of their send, also between two parts', async () => {
    await stage.link(conversation, connection, 'a');
    const message = await stage.send(conversation, 'Two parts');
    const task = await stage.claimOne(connection);
    const first = { index: 0, kind: 'text', status: 'sent', external_id: 'p-0' } as const;
    await stage.deliveries.progress(task, [first]);
    await receipt('p-0', 'delivered');
    await receipt('p-1', 'delivered');
    expect(await status(message.id)).toBe('sending');
    const second = { ...first, index: 1, external_id: 'p-1' };
    await stage.deliveries.settle([{ ...sent(task), parts: [first, second] }]);
    expect(await status(message.id)).toBe('delivered');
  });

  it('keep waiting during another attempt of the send', async () => {
    await stage.link(conversation, connection, 'a');
    const message = await stage.send(conversation, 'x');
    const task = await stage.claimOne(connection);
    const part = { index: 0, kind: 'text', status: 'sent', external_id: 'r-0' } as const;
    await stage.deliveries.progress(task, [part]);
    await receipt('r-0', 'read');
    await stage.deliveries.settle([{ ...ended(task, 'queued'), parts: [part] }]);
    expect(await status(message.id)).toBe('queued');
    await stage.deliveries.settle([{ ...sent(await stage.claimOne(connection)), parts: [part] }]);
    expect(await status(message.id)).toBe('read');
  });

  it.each(['early', 'late'])(
    'count as a STOP for a failure that reports an unsubscribed contact: %s',
    async (how) => {
      const { message: hello } = await stage.post(connection, 'ann', 'Hello', { kind: 'direct' });
      conversation = hello?.conversation_id ?? '';
      const told = () => receipt('r-1', 'failed', 'ann', 'opted_out');
      if (how === 'early') await told();
      const id = await sentMessage('r-1');
      const waits = how === 'early' ? undefined : await stage.send(conversation, 'Next');
      if (how === 'late') await told();
      await told();
      expect(await status(id)).toBe('failed');
      expect(await eventsOf(stage.pool, stage.workspaceId, 'user.opted_out')).toHaveLength(1);
      if (waits !== undefined) expect(await status(waits.id)).toBe('blocked');
      expect((await stage.send(conversation, 'Later')).status).toBe('blocked');
      await stage.post(connection, 'ann', 'Again', { kind: 'direct' });
      // A person who wrote again is not silenced by an earlier failure.
      await told();
      expect((await stage.send(conversation, 'Answer')).status).toBe('queued');
    },
  );

  it('do not count as a STOP for other failures', async () => {
    const { message: hello } = await stage.post(connection, 'ann', 'Hello', { kind: 'direct' });
    conversation = hello?.conversation_id ?? '';
    await sentMessage('r-1');
    await receipt('r-1', 'failed', 'ann', 'recipient_gone');
    expect((await stage.send(conversation, 'Later')).status).toBe('queued');
  });

  it('are found by the sweeper when they missed the record of their send', async () => {
    await stage.link(conversation, connection, 'a');
    const id = await sentMessage('missed');
    await stage.pool.query(
      `INSERT INTO parked_events (connection_id, external_chat_id, external_id, workspace_id, event, received_at, expires_at)
       VALUES ($1, 'a', 'missed', $2, '{"type":"receipt","status":"read","failure":null,"at":"2026-01-01T00:00:00Z"}',
         now() - interval '5 s', now() + interval '1 hour')`,
      [connection, stage.workspaceId],
    );
    await stage.deliveries.sweep();
    expect(await status(id)).toBe('read');
  });

  it('belong to their chat: the same id in another chat is another message', async () => {
    await stage.link(conversation, connection, 'a');
    const other = await stage.conversation();
    await stage.link(other, connection, 'b');
    const inA = await sentMessage('7');
    const inB = await stage.send(other, 'Hello');
    await stage.deliveries.settle([sent(await stage.claimOne(connection), '7')]);
    await receipt('7', 'read', 'b');
    expect([await status(inA), await status(inB.id)]).toEqual(['sent', 'read']);
  });

  it('resolve uncertain deliveries', async () => {
    await stage.link(conversation, connection, 'a');
    for (const [state, becomes] of [
      ['sent', 'sent'],
      ['read', 'read'],
      ['failed', 'failed'],
    ] as const) {
      const message = await stage.send(conversation, 'x');
      const task = await stage.claimOne(connection);
      await stage.deliveries.progress(task, [{ index: 0, kind: 'text', status: 'sent', external_id: state }]);
      await stage.deliveries.settle([ended(task, 'uncertain')]);
      await receipt(state, state);
      const { resolution } = await stage.delivery(message.id);
      expect([await status(message.id), resolution]).toEqual([becomes, 'reconciled']);
    }
  });
});

describe('the status of a message', () => {
  const cases: [string[], string][] = [
    [['queued', 'queued'], 'queued'],
    [['queued', 'sent'], 'sending'],
    [['sending', 'failed'], 'sending'],
    [['uncertain', 'failed', 'read'], 'uncertain'],
    [['failed', 'expired', 'sent'], 'failed'],
    [['expired', 'blocked'], 'expired'],
    [['blocked', 'sent'], 'blocked'],
    [['canceled', 'sent'], 'sent'],
    [['canceled', 'queued'], 'queued'],
    [['canceled', 'canceled'], 'canceled'],
    [['sent', 'delivered', 'read'], 'sent'],
    [['delivered', 'read'], 'delivered'],
    [['read', 'read'], 'read'],
  ];

  it.each(cases)('of deliveries %j is %s', async (statuses, expected) => {
    for (const [index] of statuses.entries()) await stage.link(conversation, connection, `s-${index}`);
    const message = await stage.send(conversation, 'x');
    for (const [index, becomes] of statuses.entries()) {
      await stage.pool.query('UPDATE deliveries SET status = $2 WHERE id = $1', [
        message.deliveries[index]?.id,
        becomes,
      ]);
    }
    const [derived] = await values(stage.pool, 'SELECT derive_message_status($1)', [message.id]);
    expect(derived).toBe(expected);
  });

  it('ignores superseded deliveries', async () => {
    await stage.link(conversation, connection, 'a');
    await stage.link(conversation, connection, 'b');
    const { id, deliveries } = await stage.send(conversation, 'x');
    const [old, next] = deliveries.map((delivery) => delivery.id);
    await stage.pool.query("UPDATE deliveries SET status = 'failed', superseded_by = $2 WHERE id = $1", [
      old,
      next,
    ]);
    expect(await values(stage.pool, 'SELECT derive_message_status($1)', [id])).toEqual(['queued']);
  });

  it('has one event per change, with the previous status', async () => {
    await stage.link(conversation, connection, 'a');
    const id = await sentMessage('told');
    await receipt('told', 'delivered');
    await receipt('told', 'delivered');
    await receipt('told', 'read');
    const told = (await eventsOf(stage.pool, stage.workspaceId, 'message.%')).filter(
      ({ data }) => data.id === id,
    );
    expect(told.map(({ type, extra }) => [type, (extra as { previous?: object }).previous])).toEqual([
      ['message.created', undefined],
      ['message.sent', { status: 'sending' }],
      ['message.delivered', { status: 'sent' }],
      ['message.read', { status: 'delivered' }],
    ]);
  });

  it('changes once when equal moves run in parallel', async () => {
    await stage.link(conversation, connection, 'a');
    const { deliveries } = await stage.send(conversation, 'x');
    const move = JSON.stringify([{ id: deliveries[0]?.id, from: ['queued'], to: 'canceled' }]);
    const moved = await Promise.all(
      Array.from({ length: 8 }, () => values<string[]>(stage.pool, 'SELECT move_deliveries($1)', [move])),
    );
    expect(moved.flat().filter((ids) => ids.length === 1)).toHaveLength(1);
  });
});

describe('the counters of a connection', () => {
  it('include sent, failed and uncertain deliveries', async () => {
    await stage.link(conversation, connection, 'a');
    await sentMessage('c-1');
    await receipt('c-1', 'delivered');
    const counted = async () => {
      const { rows } = await stage.pool.query(
        'SELECT sent, failed, uncertain FROM connections WHERE id = $1',
        [connection],
      );
      return rows[0];
    };
    for (const becomes of ['failed', 'uncertain'] as const) {
      await stage.send(conversation, becomes);
      const task = await stage.claimOne(connection);
      await stage.deliveries.progress(task, [
        { index: 0, kind: 'text', status: 'sent', external_id: becomes },
      ]);
      await stage.deliveries.settle([ended(task, becomes)]);
    }
    expect(await counted()).toEqual({ sent: '1', failed: '1', uncertain: '1' });
    await receipt('uncertain', 'delivered');
    await receipt('uncertain', 'read');
    expect(await counted()).toEqual({ sent: '2', failed: '1', uncertain: '1' });
  });
});
