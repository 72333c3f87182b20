import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { reconcile } from '../../../src/core/deliveries/reconcile.js';
import type { Run } from '../../../src/core/deliveries/send/run-task.js';
import { openGate } from '../../../src/core/deliveries/send/write-gate.js';
import type { DeliveryTask, TaskResult } from '../../../src/core/deliveries/task.js';
import { resultOf } from '../../../src/core/deliveries/task-result.js';
import {
  type DeliveryStatus,
  deliveryStates,
  deliveryStatuses,
} from '../../../src/core/messages/delivery-states.js';
import { PostgresMessageActions } from '../../../src/store/messages/message-actions.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';
import { problem, ScriptedPlatform } from '../../support/scripted-platform.js';
import { observedOutcomes, permittedStatuses, statedOutcomes } from '../../support/state-machine.js';

type Move = keyof typeof deliveryStates.moves;

/** A delivery in its own chat and connection. A worker has leased it, unless the move is the lease. */
interface Stored {
  readonly id: string;
  readonly chat: string;
  readonly connection: string;
  readonly task: DeliveryTask | undefined;
}

let stage: BridgeStage;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
});

async function inState(status: DeliveryStatus, move: Move): Promise<Stored> {
  const connection = await stage.connection('alpha');
  const chat = uuidv7();
  const { message } = await stage.post(connection, chat, 'Hi', { kind: 'direct', sender: chat });
  const { id: messageId } = await stage.send(message!.conversation_id, 'Hello');
  const { id } = await stage.delivery(messageId);
  const task = move === 'start' ? undefined : await stage.claimOne(connection);
  if (move.startsWith('receipt'))
    await stage.pool.query('SELECT record_parts($1::uuid, $2::jsonb)', [id, JSON.stringify([part(id)])]);
  await stage.pool.query('UPDATE deliveries SET status = $2 WHERE id = $1', [id, status]);
  return { id, chat, connection, task };
}

const part = (id: string) => ({
  index: 0,
  kind: 'text' as const,
  status: 'sent' as const,
  external_id: `x-${id}`,
  thread: null,
});

/** The platform's result of the attempt. */
function runOf(id: string, move: Move): Run {
  const failed = (cause: unknown): Run => ({ parts: [], degradations: [], failure: { cause, step: CREATE } });
  switch (move) {
    case 'try_again':
      return failed(problem({ kind: 'unavailable', cause: 'network' }));
    case 'fail':
      return failed(problem({ kind: 'rejected', reason: 'content_rejected' }));
    case 'block':
      return failed(problem({ kind: 'rejected', reason: 'blocked_by_recipient' }));
    case 'lose':
      return failed(problem({ kind: 'unavailable', cause: 'network' }, 'unknown'));
    default:
      return { parts: [part(id)], degradations: [] };
  }
}

const CREATE = { index: 0, kind: 'text', action: 'create', text: 'Hello' } as never;

async function settle(result: TaskResult | undefined): Promise<void> {
  await stage.deliveries.settle([result!]);
}

/** Records the result of an attempt, or of a lookup of an earlier one. */
async function record({ id, task }: Stored, move: Move): Promise<void> {
  const platform = new ScriptedPlatform();
  platform.policy = move === 'send_again' ? 'retry' : 'reconcile';
  platform.lookups = [{ outcome: 'found', remoteId: part(id).external_id as never }];
  const connection = platform.find()!;
  if (move !== 'found' && move !== 'send_again')
    return settle(resultOf(task!, connection, runOf(id, move), new Date(), 0.5));
  const asked = { ...task!, operation: 'reconcile' as const };
  const onFailure = async () => undefined;
  return settle(await reconcile(asked, connection, stage.deliveries, { gate: openGate, onFailure }));
}

async function perform(stored: Stored, move: Move): Promise<unknown> {
  const { id, chat, connection } = stored;
  const actions = new PostgresMessageActions(stage.pool);
  switch (move) {
    case 'start':
      return stage.deliveries.claim(connection, 1);
    case 'resolve_sent':
      return actions.resolveDelivery(stage.scope, id, 'sent');
    case 'resolve_failed':
      return actions.resolveDelivery(stage.scope, id, 'failed');
    case 'retry':
      return actions.retryDelivery(stage.scope, id);
    case 'receipt_sent':
    case 'receipt_delivered':
    case 'receipt_read':
    case 'receipt_failed': {
      const status = move.slice('receipt_'.length);
      const failure = status === 'failed' && { failure: { reason: 'platform_error', message: 'Refused.' } };
      const to = { chat: { id: chat, kind: 'direct' }, messageId: part(id).external_id };
      return stage.report(connection, { type: 'receipt', ...to, status, ...failure });
    }
    case 'expire':
      await stage.pool.query(`UPDATE deliveries SET expires_at = now() - interval '1 s' WHERE id = $1`, [id]);
      return stage.deliveries.expire();
    case 'cancel':
      return stage.pool.query('SELECT cancel_deliveries(ARRAY[$1::uuid])', [id]);
    case 'opt_out':
      return stage.post(connection, chat, 'STOP', { kind: 'direct', sender: chat });
    default:
      return record(stored, move);
  }
}

test('A delivery follows its state table in every state and for every move.', async () => {
  const observed = await observedOutcomes(deliveryStates, async (status, move) => {
    const stored = await inState(status, move);
    await perform(stored, move);
    const [after] = await values<DeliveryStatus>(stage.pool, 'SELECT status FROM deliveries WHERE id = $1', [
      stored.id,
    ]);
    return after;
  });
  expect(observed).toEqual(statedOutcomes(deliveryStates));
});

test('The database permits the statuses of the table of deliveries and no others.', async () => {
  expect(await permittedStatuses(stage.pool, 'deliveries')).toEqual([...deliveryStatuses].sort());
});
