import { describe, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage, sent } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';
import { problem } from '../../support/scripted-platform.js';

let stage: BridgeStage;
let connection: string;
let conversation: string;

/** The platform's reports name the delivery, as Twilio does with the address of its callbacks. */
beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  conversation = await stage.conversation();
  await stage.link(conversation, connection, 'a');
});

const FAILURE = { reason: 'content_rejected', code: '30007', message: 'Filtered.' };
const report = (
  messageId: string,
  status: string,
  reference: string,
  { on = connection, chat = 'a' }: { on?: string; chat?: string } = {},
) =>
  stage.report(on, {
    type: 'receipt',
    chat: { id: chat, kind: 'direct' },
    messageId,
    status,
    reference,
    ...(status === 'failed' ? { failure: FAILURE } : {}),
  });

const statuses = (message: string) =>
  values<string>(
    stage.pool,
    `SELECT data->>'status' FROM events WHERE type = 'delivery.updated' AND data->>'message_id' = $1 ORDER BY position`,
    [message],
  );

/** A message whose create call for this part was never answered. */
async function lostAt(place: number, text: string) {
  const { id } = await stage.send(conversation, text);
  const worker = stage.deliverer();
  worker.platform.script = (_call, number) => {
    if (number === place) throw problem({ kind: 'unavailable', cause: 'network' }, 'unknown');
    return undefined;
  };
  await worker.run(connection);
  worker.platform.script = () => undefined;
  const delivery = await stage.delivery(id);
  expect(delivery.status).toBe('uncertain');
  return { id, delivery: delivery.id, worker };
}

describe('a receipt that names the delivery whose response was lost', () => {
  it.each([
    ['sent', ['sent']],
    ['delivered', ['sent', 'delivered']],
    ['read', ['sent', 'read']],
    ['failed', ['sent', 'failed']],
  ])(
    'resolves the delivery and records the id under the policy hold when it says %s',
    async (status, moves) => {
      const { id, delivery } = await lostAt(1, 'x');
      await report('SM1', status, `${delivery}.0.0`);
      expect((await statuses(id)).slice(3)).toEqual(moves);
      expect(await stage.delivery(id)).toMatchObject({
        status: moves.at(-1),
        resolution: 'reconciled',
        parts: [{ external_id: 'SM1', status: 'sent' }],
      });
      if (status === 'failed')
        expect((await stage.delivery(id)).error).toMatchObject({
          code: 'content_rejected',
          platform_code: '30007',
        });
    },
  );

  it('lets later receipts advance the delivery, and an earlier status does not move it back', async () => {
    const { id, delivery } = await lostAt(1, 'x');
    await report('SM1', 'sent', `${delivery}.0.0`);
    await report('SM1', 'delivered', `${delivery}.0.0`);
    await report('SM1', 'sent', `${delivery}.0.0`);
    expect((await stage.delivery(id)).status).toBe('delivered');
  });

  it('is applied when it arrives before the create loses its response', async () => {
    const { id } = await stage.send(conversation, 'x');
    const task = await stage.claimOne(connection);
    await report('SM1', 'delivered', `${task.delivery_id}.0.0`);
    expect((await stage.delivery(id)).status).toBe('sending');
    const lost = { index: 0, kind: 'text', status: 'uncertain', external_id: null } as const;
    const move = { from: ['sending'], to: 'uncertain' } as const;
    await stage.deliveries.settle([{ ...sent(task), outcome: 'uncertain', parts: [lost], move }]);
    expect(await stage.delivery(id)).toMatchObject({
      status: 'delivered',
      resolution: 'reconciled',
      parts: [{ external_id: 'SM1', status: 'sent' }],
    });
  });

  it('is applied when its sender dies after it arrived', async () => {
    const { id } = await stage.send(conversation, 'x');
    const task = await stage.claimOne(connection);
    await report('SM1', 'sent', `${task.delivery_id}.0.0`);
    await stage.deliveries.releaseAllLanes();
    await stage.deliveries.sweep();
    expect(await stage.delivery(id)).toMatchObject({ status: 'sent', parts: [{ external_id: 'SM1' }] });
  });

  it('does not change a create that receives its response later', async () => {
    const { id } = await stage.send(conversation, 'x');
    const task = await stage.claimOne(connection);
    await report('SM1', 'sent', `${task.delivery_id}.0.0`);
    await stage.deliveries.settle([sent(task, 'SM1')]);
    expect(await statuses(id)).toEqual(['queued', 'sending', 'sent']);
    expect((await stage.delivery(id)).resolution).toBeNull();
  });

  it('prevents another send under the policy retry when it arrives before the next attempt', async () => {
    const { id, delivery, worker } = await lostAt(1, 'x');
    await stage.pool.query(`UPDATE deliveries SET status = 'queued' WHERE id = $1`, [delivery]);
    await report('SM1', 'delivered', `${delivery}.0.0`);
    const before = worker.platform.calls.length;
    await worker.run(connection);
    expect(worker.platform.calls.length).toBe(before);
    expect(await stage.delivery(id)).toMatchObject({ status: 'delivered', parts: [{ external_id: 'SM1' }] });
  });

  it('updates a delivery that was already given up', async () => {
    const { id, delivery } = await lostAt(1, 'x');
    await stage.pool.query(`UPDATE deliveries SET expires_at = now() - interval '1 s' WHERE id = $1`, [
      delivery,
    ]);
    await stage.deliveries.sweep();
    expect((await stage.delivery(id)).error?.code).toBe('outcome_unknown');
    await report('SM1', 'delivered', `${delivery}.0.0`);
    expect(await stage.delivery(id)).toMatchObject({ status: 'delivered', error: null });
  });
});

describe('a receipt for one of several parts', () => {
  it('continues with the parts that were never sent, without a lookup', async () => {
    const { id, delivery, worker } = await lostAt(2, 'one\ntwo\nthree');
    await report('SM2', 'delivered', `${delivery}.1.2`);
    expect((await statuses(id)).at(-1)).toBe('queued');
    await worker.run(connection);
    expect(worker.platform.texts()).toEqual(['one', 'two', 'three']);
    const { status, parts } = await stage.delivery(id);
    expect([status, parts.map(({ external_id }) => external_id)[1]]).toEqual(['sent', 'SM2']);
  });

  it('resolves the first part when no part was recorded', async () => {
    const { id } = await stage.send(conversation, 'one\ntwo');
    const task = await stage.claimOne(connection);
    await stage.deliveries.releaseAllLanes();
    await stage.deliveries.sweep();
    await report('SM1', 'sent', `${task.delivery_id}.0.1`);
    const worker = stage.deliverer();
    await worker.run(connection);
    expect(worker.platform.texts()).toEqual(['two']);
    expect((await stage.delivery(id)).status).toBe('sent');
  });

  it('resolves all parts when it is for the last one', async () => {
    const { id, delivery } = await lostAt(2, 'one\ntwo');
    await report('SM2', 'delivered', `${delivery}.1.1`);
    expect((await stage.delivery(id)).status).toBe('sent');
  });

  it('fails all parts when it reports a failure', async () => {
    const { id, delivery } = await lostAt(2, 'one\ntwo\nthree');
    await report('SM2', 'failed', `${delivery}.1.2`);
    expect((await stage.delivery(id)).status).toBe('failed');
  });

  it('causes no further sends of a message that was deleted in the meantime', async () => {
    const { id, delivery, worker } = await lostAt(2, 'one\ntwo\nthree');
    await stage.messages.delete(stage.scope, id, stage.memberId);
    await report('SM2', 'sent', `${delivery}.1.2`);
    const created = () => worker.platform.calls.filter(({ action }) => action === 'create').length;
    const before = created();
    await worker.run(connection);
    expect(created()).toBe(before);
  });
});

describe('a receipt changes nothing when it names', () => {
  it('a delivery of another connection', async () => {
    const { id, delivery } = await lostAt(1, 'x');
    await report('SM1', 'delivered', `${delivery}.0.0`, { on: await stage.connection('beta') });
    expect((await stage.delivery(id)).status).toBe('uncertain');
  });

  it('a delivery of another workspace', async () => {
    const { id, delivery } = await lostAt(1, 'x');
    const other = await bridgeStage(stage.pool);
    const theirs = await other.connection('alpha');
    await report('SM1', 'delivered', `${delivery}.0.0`, { on: theirs });
    expect((await stage.delivery(id)).status).toBe('uncertain');
  });

  it('a delivery to another chat', async () => {
    const { id, delivery } = await lostAt(1, 'x');
    await report('SM1', 'delivered', `${delivery}.0.0`, { chat: 'b' });
    expect((await stage.delivery(id)).status).toBe('uncertain');
  });

  it.each(['', 'x', '00000000-0000-7000-8000-000000000000.0.0', "'; DROP TABLE deliveries; --.0.0"])(
    'no delivery at all: %j',
    async (reference) => {
      const { id } = await lostAt(1, 'x');
      await report('SM1', 'delivered', reference);
      expect((await stage.delivery(id)).status).toBe('uncertain');
    },
  );

  it('a part that is known by another id', async () => {
    const { id } = await stage.send(conversation, 'x');
    const task = await stage.claimOne(connection);
    await stage.deliveries.settle([sent(task, 'SM1')]);
    await report('SM2', 'failed', `${task.delivery_id}.0.0`);
    expect(await stage.delivery(id)).toMatchObject({ status: 'sent', parts: [{ external_id: 'SM1' }] });
  });
});
