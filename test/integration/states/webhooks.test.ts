import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { Caller } from '../../../src/core/access/caller.js';
import { webhookStates, webhookStatuses } from '../../../src/core/webhooks/states.js';
import { beforeEachOn } from '../../support/each-test.js';
import { observedOutcomes, permittedStatuses, statedOutcomes } from '../../support/state-machine.js';
import { type WebhookStage, webhookStage } from '../../support/webhook-stage.js';

type Status = (typeof webhookStatuses)[number];
type Move = keyof typeof webhookStates.moves;

let stage: WebhookStage;
let caller: Caller;

beforeEachOn(async (database) => {
  stage = webhookStage(database);
  caller = await stage.caller();
});

/** A webhook in a state. Its own key registered it. */
async function inState(status: Status): Promise<string> {
  const { id } = await stage.register(caller, 'http://127.0.0.1:49152/hook');
  const key = uuidv7();
  await stage.pool.query(
    `INSERT INTO api_keys (id, workspace_id, user_id, name, environment, hash, hint)
     VALUES ($1, $2, $3, 'Key', 'live', decode(md5($4), 'hex'), '')`,
    [key, caller.workspaceId, caller.userId, key],
  );
  await stage.pool.query(
    `UPDATE webhooks SET status = $2, created_by_key = $3,
       disabled_reason = CASE WHEN $2 <> 'enabled' THEN 'requested' END WHERE id = $1`,
    [id, status, key],
  );
  return id;
}

/** Records the failure of an attempt as the worker does. */
async function failAttempt(id: string, gone: boolean): Promise<void> {
  const { rows } = await stage.pool.query<{ id: string; lease: string }>(
    `INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_position, event_id, event, leased_until)
     VALUES ($1, $2, 1, uuid7(), 'message.created', now() + interval '1 min')
     RETURNING id, leased_until::text AS lease`,
    [caller.workspaceId, id],
  );
  await stage.pool.query(
    `SELECT record_webhook_attempt($1, $2, '{"at":"2026-01-01T00:00:00Z"}', 'pending', 1000, $3, interval '120 hours')`,
    [rows[0]?.id, rows[0]?.lease, gone],
  );
}

async function perform(id: string, move: Move): Promise<unknown> {
  switch (move) {
    case 'enabled':
    case 'disabled':
      return stage.update.execute(caller, id, { status: move });
    case 'fail':
      await stage.pool.query(
        `UPDATE webhooks SET failing_since = now() - interval '121 hours' WHERE id = $1`,
        [id],
      );
      return failAttempt(id, false);
    case 'gone':
      return failAttempt(id, true);
    case 'key_ends':
      await stage.pool.query(
        `UPDATE api_keys SET expires_at = now() - interval '1 ms' WHERE id = (SELECT created_by_key FROM webhooks WHERE id = $1)`,
        [id],
      );
      return stage.pool.query('SELECT end_webhooks_of_expired_keys()');
  }
}

test('A webhook follows its state table in every state and for every move.', async () => {
  const observed = await observedOutcomes(webhookStates, async (status, move) => {
    const id = await inState(status);
    await perform(id, move);
    return (await stage.get.execute(caller, id)).status;
  });
  expect(observed).toEqual(statedOutcomes(webhookStates));
});

test('The database permits the statuses of the table of webhooks and no others.', async () => {
  expect(await permittedStatuses(stage.pool, 'webhooks')).toEqual([...webhookStatuses].sort());
});
