import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPool } from '../../../src/store/connection/pools.js';
import { Housekeeping } from '../../../src/store/maintenance/housekeeping.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { silentLog } from '../../support/log.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { type WebhookStage, webhookStage } from '../../support/webhook-stage.js';

let database: TestDatabase;
let bridge: BridgeStage;
let webhooks: WebhookStage;

beforeAll(async () => {
  database = await testDatabase();
  bridge = await bridgeStage(database.pool);
  webhooks = webhookStage(database);
});
afterAll(async () => {
  await webhooks.guard.close();
  await database.drop();
});

const backlog = () => new Housekeeping(database.pool).backlog();
const change = (text: string, ...values: unknown[]) => database.pool.query(text, values);

it('the backlog is as old as the oldest due webhook delivery', async () => {
  const caller = await webhooks.caller();
  const { id } = await webhooks.register(caller, 'http://127.0.0.1:9999/');
  await webhooks.emit(caller, { type: 'call.ended', data: { id: 'c' } });
  await change(
    "UPDATE webhook_deliveries SET next_attempt_at = now() - interval '100 s' WHERE webhook_id = $1",
    id,
  );
  expect((await backlog()).webhookSeconds).toBeGreaterThanOrEqual(100);
  for (const [state, back] of [
    ['failing_since = now()', 'failing_since = NULL'],
    ['rate_limit = 1', 'rate_limit = NULL'],
    ["status = 'auto_disabled', disabled_reason = 'failing'", "status = 'enabled', disabled_reason = NULL"],
  ]) {
    await change(`UPDATE webhooks SET ${state} WHERE id = $1`, id);
    expect((await backlog()).webhookSeconds).toBe(0);
    await change(`UPDATE webhooks SET ${back} WHERE id = $1`, id);
  }
  await webhooks.queue.claim(id, 1);
  expect((await backlog()).webhookSeconds).toBe(0);
});

it('the backlog is as old as the oldest message that can be sent', async () => {
  const connection = await bridge.connection('sms');
  const { message } = await bridge.post(connection, '+4911', 'Hello', { kind: 'direct' });
  const first = await bridge.send(message?.conversation_id ?? '', 'First');
  await bridge.send(message?.conversation_id ?? '', 'Second');
  await change("UPDATE deliveries SET created_at = now() - interval '100 s'");
  expect((await backlog()).deliverySeconds).toBeGreaterThanOrEqual(100);
  for (const [state, back] of [
    ["status = 'error'", "status = 'connected'"],
    ["paused_until = now() + interval '1 hour'", 'paused_until = NULL'],
    ['enabled = false', 'enabled = true'],
  ]) {
    await change(`UPDATE connections SET ${state} WHERE id = $1`, connection);
    expect((await backlog()).deliverySeconds).toBe(0);
    await change(`UPDATE connections SET ${back} WHERE id = $1`, connection);
  }
  // A rate limit of the chat: the messages wait for its end and are due from then on.
  await change("UPDATE links SET held_until = now() + interval '1 hour'");
  expect((await backlog()).deliverySeconds).toBe(0);
  await change("UPDATE links SET held_until = now() - interval '5 s'");
  const { deliverySeconds } = await backlog();
  expect([deliverySeconds >= 5, deliverySeconds < 60]).toEqual([true, true]);
  await change(
    "UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE message_id = $1",
    first.id,
  );
  expect((await backlog()).deliverySeconds).toBe(0);
});

it('the backlog is found behind a chat with hundreds of waiting messages', async () => {
  const connection = await bridge.connection('sms');
  const { message } = await bridge.post(connection, '+4912', 'Hello', { kind: 'direct' });
  const waiting = await bridge.send(message?.conversation_id ?? '', 'Waits');
  const { message: other } = await bridge.post(connection, '+4913', 'Hello', { kind: 'direct' });
  await change(
    `INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform, external_chat_id, status)
     SELECT workspace_id, message_id, conversation_id, link_id, connection_id, platform, external_chat_id, 'queued'
     FROM deliveries, generate_series(1, 300) WHERE message_id = $1`,
    waiting.id,
  );
  await change(
    'UPDATE links SET held_until = $1 WHERE conversation_id = $2',
    new Date(Date.now() + 3_600_000),
    waiting.conversation_id,
  );
  expect((await backlog()).deliverySeconds).toBe(0);
  const late = await bridge.send(other?.conversation_id ?? '', 'Late');
  await change("UPDATE deliveries SET created_at = now() - interval '100 s' WHERE message_id = $1", late.id);
  expect((await backlog()).deliverySeconds).toBeGreaterThanOrEqual(100);
});

it('a server that became read-only answers reads, and fails the check for writes', async () => {
  const { connection } = database;
  const pool = createPool(
    { ...connection, max: 1, options: '-c default_transaction_read_only=on' },
    silentLog,
  );
  try {
    const housekeeping = new Housekeeping(pool);
    await housekeeping.ping();
    await expect(housekeeping.pingForWrites()).rejects.toThrow('The database is read-only.');
  } finally {
    await pool.end();
  }
  await new Housekeeping(database.pool).pingForWrites();
});
