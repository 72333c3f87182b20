import { describe, expect, it } from 'vitest';
import type { BroadcastRecipientRecord } from '../../../src/core/broadcasts/record.js';
import { type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { eventsOf, values } from '../../support/people.js';
import { problem } from '../../support/scripted-platform.js';

let stage: BroadcastStage;
let alpha: string;
let beta: string;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  alpha = await stage.connection('alpha');
  beta = await stage.connection('beta');
});

/** A contact who is reachable on these platforms, in this order. */
async function person(name: string, platforms: readonly string[]): Promise<string> {
  const user = await stage.users.create({
    id: crypto.randomUUID(),
    workspace_id: stage.workspaceId,
    display_name: name,
    channel_priority: [...platforms],
    identities: platforms.map((platform) => ({ platform, external_id: `${platform}-${name}` })),
  } as never);
  return user.id;
}

async function begun(users: readonly string[], success = 'delivered', more: object = {}): Promise<string> {
  const id = await stage.create({
    audience: { user_ids: users },
    fallback: { after_seconds: 60, success_status: success },
    ...more,
  });
  await stage.step(id, 2);
  return id;
}

/** Makes the fallback due. */
const pass = (id: string) =>
  stage.pool.query(
    `UPDATE broadcast_recipients SET fallback_at = now() - interval '1 ms' WHERE broadcast_id = $1 AND fallback_at IS NOT NULL`,
    [id],
  );

async function receipt(platform: string, state: string): Promise<void> {
  await stage.pool.query(
    `SELECT apply_receipt(x.connection_id, x.external_chat_id, x.external_id, $2, NULL, now())
     FROM remote_messages x JOIN deliveries d ON d.id = x.delivery_id WHERE d.workspace_id = $1 AND d.platform = $3`,
    [stage.workspaceId, state, platform],
  );
}

const recipientOf = async (id: string) =>
  (
    await values<BroadcastRecipientRecord>(
      stage.pool,
      'SELECT broadcast_recipient_record(r) FROM broadcast_recipients r WHERE broadcast_id = $1',
      [id],
    )
  )[0]!;

describe('the throttle of a broadcast', () => {
  const onTheWay = async (id: string) => {
    const [count] = await values<number>(
      stage.pool,
      `SELECT count(*)::int FROM broadcast_recipients WHERE broadcast_id = $1 AND queued_at IS NOT NULL`,
      [id],
    );
    return count;
  };

  it('applies to all workers together', async () => {
    const recipients = Array.from({ length: 60 }, (_, n) => ({ platform: 'alpha', address: `alpha-${n}` }));
    const id = await stage.create({ audience: { recipients }, throttle: { per_minute: 20 } } as never);
    await stage.step(id);
    await Promise.all(Array.from({ length: 6 }, () => stage.work.sendChunk(id, 10)));
    await Promise.all(Array.from({ length: 6 }, () => stage.work.sendChunk(id, 10)));
    await stage.step(id, 2);
    expect(await onTheWay(id)).toBe(20);
  });

  it('applies to recipients who continue on their next platform as well', async () => {
    const users = [await person('ann', ['alpha', 'beta']), await person('bob', ['alpha', 'beta'])];
    const id = await begun(users, 'delivered', { throttle: { per_minute: 1 } });
    const minuteOver = () =>
      stage.pool.query(
        `UPDATE broadcast_recipients SET throttled_at = throttled_at - interval '1 minute' WHERE broadcast_id = $1`,
        [id],
      );
    await minuteOver();
    await stage.step(id);
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 2 });
    await pass(id);
    await stage.step(id, 3);
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 2 });
    await minuteOver();
    await stage.step(id, 3);
    expect(await stage.deliveriesOf(id)).toEqual({ canceled: 1, queued: 2 });
    await minuteOver();
    await stage.step(id, 3);
    expect(await stage.deliveriesOf(id)).toEqual({ canceled: 2, queued: 2 });
  });
});

describe('a recipient whom the first platform does not reach in time', () => {
  it('receives the same message on the next platform, and a new delivery replaces the old one', async () => {
    const id = await begun([await person('ann', ['alpha', 'beta'])]);
    const worker = stage.deliverer();
    await worker.run(alpha);
    expect(await stage.get(id)).toMatchObject({ status: 'sending', counts: { sent: 1, pending: 0 } });
    await pass(id);
    await stage.step(id);
    expect(await stage.get(id)).toMatchObject({ status: 'sending', counts: { sent: 0, pending: 1 } });
    const { message_id: messageId, ...moved } = await recipientOf(id);
    expect(moved).toMatchObject({ platform: 'beta', address: 'beta-ann', status: 'queued' });
    const [rerouted] = await eventsOf(stage.pool, stage.workspaceId, 'message.rerouted');
    expect(rerouted).toMatchObject({
      data: { id: messageId, platform: 'beta', status: 'queued' },
      extra: { from_platform: 'alpha', to_platform: 'beta' },
    });
    await worker.run(beta);
    expect(worker.platform.calls.map(({ chatId }) => chatId)).toEqual(['alpha-ann', 'beta-ann']);
    const [first, second] = (await stage.message(messageId!)).deliveries;
    expect(first).toMatchObject({ status: 'sent', superseded_by: second!.id });
    expect(second).toMatchObject({ status: 'sent', superseded_by: null, platform: 'beta' });
    expect(await stage.get(id)).toMatchObject({ status: 'completed', counts: { sent: 1 } });
    expect(await stage.countsAgree(id)).toBe(true);
  });

  it('does not also receive the queued delivery of the first platform', async () => {
    const id = await begun([await person('ann', ['alpha', 'beta'])]);
    await pass(id);
    await stage.step(id);
    const worker = stage.deliverer();
    await worker.run(alpha);
    await worker.run(beta);
    expect(worker.platform.calls.map(({ chatId }) => chatId)).toEqual(['beta-ann']);
    expect(await stage.deliveriesOf(id)).toEqual({ canceled: 1, sent: 1 });
    expect(await stage.get(id)).toMatchObject({ status: 'completed', counts: { sent: 1 } });
  });

  it('is tried on the next platform at once when one fails permanently, up to the last', async () => {
    await stage.connection('gamma');
    const id = await begun([await person('ann', ['alpha', 'beta', 'gamma'])]);
    const worker = stage.deliverer();
    worker.platform.script = () => {
      throw problem({ kind: 'rejected', reason: 'forbidden' });
    };
    await worker.run(alpha);
    expect(await stage.get(id)).toMatchObject({ status: 'sending', counts: { failed: 1 } });
    await stage.step(id);
    await worker.run(beta);
    await stage.step(id);
    expect(await recipientOf(id)).toMatchObject({ platform: 'gamma', status: 'queued' });
    const [gamma] = await values<string>(
      stage.pool,
      `SELECT id FROM connections WHERE workspace_id = $1 AND platform = 'gamma'`,
      [stage.workspaceId],
    );
    await worker.run(gamma!);
    expect(await stage.get(id)).toMatchObject({ status: 'completed', counts: { failed: 1, pending: 0 } });
    expect(await eventsOf(stage.pool, stage.workspaceId, 'message.rerouted')).toHaveLength(2);
    expect(await stage.countsAgree(id)).toBe(true);
  });
});

describe('a recipient is not rerouted', () => {
  it('if they were reached, and the broadcast ends without waiting', async () => {
    const id = await begun([await person('ann', ['alpha', 'beta'])]);
    await stage.deliverer().run(alpha);
    await receipt('alpha', 'delivered');
    expect(await stage.get(id)).toMatchObject({ status: 'completed', counts: { delivered: 1 } });
    await pass(id);
    await stage.step(id);
    expect(await stage.deliveriesOf(id)).toEqual({ delivered: 1 });
  });

  it('if they have no other platform, or none that the broadcast allows', async () => {
    const only = await begun([await person('ann', ['alpha'])]);
    const allowed = await begun([await person('bob', ['alpha', 'beta'])], 'read', { platforms: ['alpha'] });
    await stage.deliverer().run(alpha);
    for (const id of [only, allowed]) expect((await stage.get(id)).status).toBe('completed');
  });

  it('if they opted out in the meantime', async () => {
    const ann = await person('ann', ['alpha', 'beta']);
    const id = await begun([ann]);
    await stage.deliverer().run(alpha);
    await stage.users.change(stage.workspaceId, ann, { consent: { marketing: 'denied' } });
    await pass(id);
    await stage.step(id, 2);
    expect(await stage.get(id)).toMatchObject({ status: 'completed', counts: { sent: 1 } });
  });

  it('if their broadcast is paused or canceled', async () => {
    const id = await begun([await person('ann', ['alpha', 'beta']), await person('bob', ['alpha', 'beta'])]);
    await stage.deliverer().run(alpha);
    await stage.control.move(stage.caller, id, 'pause');
    await pass(id);
    await stage.step(id, 2);
    expect(await stage.deliveriesOf(id)).toEqual({ sent: 2 });
    await stage.control.cancel(stage.caller, id);
    await stage.step(id, 2);
    expect(await stage.get(id)).toMatchObject({ status: 'canceled', counts: { sent: 2 } });
    expect(await stage.deliveriesOf(id)).toEqual({ sent: 2 });
  });
});

it('a fallback whose job was lost is found by the sweeper', async () => {
  const id = await begun([await person('ann', ['alpha', 'beta'])]);
  await stage.deliverer().run(alpha);
  await pass(id);
  await stage.pool.query('DELETE FROM outbox');
  await stage.work.requeue();
  expect(
    await values(stage.pool, `SELECT 1 FROM outbox WHERE payload->>'broadcast_id' = $1`, [id]),
  ).toHaveLength(1);
});
