import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../../src/core/access/caller.js';
import { inTransaction } from '../../../src/store/connection/transaction.js';
import { appendEvents, PostgresEvents } from '../../../src/store/events/events.js';
import { lockWaiters } from '../../support/lock-waiters.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { type WebhookStage, webhookStage } from '../../support/webhook-stage.js';

const NOWHERE = 'http://127.0.0.1:65000/';
let database: TestDatabase;
let stage: WebhookStage;
let caller: Caller;

beforeAll(async () => {
  database = await testDatabase();
  stage = webhookStage(database);
  caller = await stage.caller();
});
afterAll(async () => {
  await stage.guard.close();
  await database.drop();
});

/** Commits an event without its reminder. Resolves with its position. */
async function untold(id: string): Promise<string> {
  const event = { workspaceId: caller.workspaceId, type: 'call.ended', data: { id } };
  const positions = await inTransaction(database.pool, (client) => appendEvents(client, [event]));
  return positions[0]!;
}

/** Moves an event to an earlier millisecond. Times have a resolution of a millisecond, so events within one are simultaneous. */
async function earlier(position: string): Promise<void> {
  await database.pool.query(
    `UPDATE events SET occurred_at = occurred_at - interval '1 ms' WHERE position = $1`,
    [position],
  );
}

/** Runs the recovery until it has passed everything committed before. Returns the ids of the calls that it announced. */
async function recovered(webhookId: string): Promise<string[]> {
  const { rows } = await database.pool.query('SELECT max(position) AS newest FROM events');
  for (;;) {
    await stage.fanOut.recover();
    await database.pool.query(`UPDATE fan_out_progress SET sampled_at = now() - interval '1 minute'`);
    const { rowCount } = await database.pool.query('SELECT FROM fan_out_progress WHERE position >= $1', [
      rows[0].newest,
    ]);
    if (rowCount === 1) break;
  }
  const { rows: told } = await database.pool.query(
    `SELECT e.data->>'id' AS id FROM webhook_deliveries d JOIN events e ON e.id = d.event_id
     WHERE d.webhook_id = $1 ORDER BY e.position`,
    [webhookId],
  );
  return told.map(({ id }) => id);
}

it('an event whose job was lost is delivered once, and a delivered one is not delivered again', async () => {
  const { id } = await stage.register(caller, NOWHERE);
  await untold('lost');
  await stage.emit(caller, { type: 'call.ended', data: { id: 'told' } });
  expect(await recovered(id)).toEqual(['lost', 'told']);
  await untold('lost later');
  expect(await recovered(id)).toEqual(['lost', 'told', 'lost later']);
});

it('a webhook receives no events from before it existed or subscribed to them', async () => {
  const early = await stage.register(caller, NOWHERE, { events: ['message.*'] });
  await earlier(await untold('before'));
  const late = await stage.register(caller, NOWHERE, { events: ['call.*'] });
  await database.pool.query(
    `UPDATE webhooks SET events = '{call.*}', scopes = '{calls:read}' WHERE id = $1`,
    [early.id],
  );
  await untold('after');
  expect(await recovered(late.id)).toEqual(['after']);
  expect(await recovered(early.id)).toEqual(['after']);
});

it('A webhook does not receive the events that it missed while it was disabled', async () => {
  const { id } = await stage.register(caller, NOWHERE);
  await database.pool.query(
    `UPDATE webhooks SET status = 'disabled', disabled_reason = 'requested' WHERE id = $1`,
    [id],
  );
  await earlier(await untold('missed'));
  await database.pool.query(`UPDATE webhooks SET status = 'enabled', disabled_reason = NULL WHERE id = $1`, [
    id,
  ]);
  await untold('heard');
  expect(await recovered(id)).toEqual(['heard']);
});

it('A webhook that subscribes to more event types receives events of a new type only from then on', async () => {
  const { id } = await stage.register(caller, NOWHERE, { events: ['call.*'] });
  await earlier(await untold('on its way'));
  const message = { type: 'message.deleted', data: { id: 'not asked for' } };
  const [position] = await stage.append(caller, message);
  await earlier(position!);
  await stage.update.execute(caller, id, { events: ['call.*', 'message.*'] });
  await stage.append(caller, { ...message, data: { id: 'asked for' } });
  await untold('after');
  expect(await recovered(id)).toEqual(['on its way', 'asked for', 'after']);
});

it.each([
  ['by its owner', 'disabled', []],
  ['for its failures', 'auto_disabled', ['dead']],
])(
  'a webhook that is disabled %s while it receives an event has no pending deliveries',
  async (_, status, left) => {
    const { id } = await stage.register(caller, NOWHERE);
    const [position] = await stage.append(caller, { type: 'call.ended', data: { id: 'x' } });
    const [event] = await new PostgresEvents(database.pool).heads([position!]);
    const takers = await stage.queue.subscribers([caller.workspaceId]);
    const subscriber = takers.find(({ webhookId }) => webhookId === id);
    await database.pool.query('UPDATE webhooks SET status = $2, disabled_reason = $3 WHERE id = $1', [
      id,
      status,
      'requested',
    ]);
    const notifications = [{ event: event!, subscriber: subscriber! }];
    for (const add of [stage.queue.addClaimed(notifications, 1), stage.queue.add(notifications)]) await add;
    expect((await stage.records(id)).map((record) => record.status)).toEqual(left);
    await database.pool.query('DELETE FROM webhook_deliveries WHERE webhook_id = $1', [id]);
    await stage.queue.add(notifications);
    expect((await stage.records(id)).map((record) => record.status)).toEqual(left);
  },
);

it('A delivery is not tried again for a webhook that is disabled at that moment', async () => {
  const { id } = await stage.register(caller, NOWHERE);
  await stage.emit(caller, { type: 'call.ended', data: { id: 'x' } });
  await database.pool.query(`UPDATE webhook_deliveries SET status = 'dead' WHERE webhook_id = $1`, [id]);
  const [{ id: delivery }] = await stage.records(id);
  let asked: Promise<unknown> = Promise.resolve();
  await inTransaction(database.pool, async (client) => {
    await client.query(
      `UPDATE webhooks SET status = 'disabled', disabled_reason = 'requested' WHERE id = $1`,
      [id],
    );
    asked = Promise.all([
      stage.deliveries.retry(id, delivery),
      stage.deliveries.recover(id, new Date(Date.now() - 60_000)),
    ]);
    await expect.poll(() => lockWaiters(database.pool)).toBe(2);
  });
  expect(await asked).toEqual([undefined, 0]);
  expect((await stage.records(id)).map(({ status }) => status)).toEqual(['dead']);
});
