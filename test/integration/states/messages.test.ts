import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { deliveryStatuses } from '../../../src/core/messages/delivery-states.js';
import {
  derivedStatus,
  type MessageStatus,
  messageStates,
  messageStatuses,
} from '../../../src/core/messages/states.js';
import { PostgresMessageActions } from '../../../src/store/messages/message-actions.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';
import { observedOutcomes, permittedStatuses, statedOutcomes } from '../../support/state-machine.js';

type Move = keyof typeof messageStates.moves;

let stage: BridgeStage;
let connection: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
});

interface Stored {
  readonly id: string;
  readonly chat: string;
  readonly conversation: string;
}

const isInbound = (status: MessageStatus) => status === 'received' || status === 'read';
const SCHEDULED = '2999-01-01T00:00:00.000Z';

/** A message of a direct conversation with one link. Its delivery, if it has one, is in the same state. */
async function inState(status: MessageStatus): Promise<Stored> {
  const chat = uuidv7();
  const { message } = await stage.post(connection, chat, 'Hi', { kind: 'direct', sender: chat });
  const conversation = message!.conversation_id;
  const stored = isInbound(status)
    ? message!
    : await stage.send(conversation, 'Hello', status === 'scheduled' ? { send_at: SCHEDULED } : {});
  const { id } = stored;
  await stage.pool.query('UPDATE messages SET status = $2 WHERE id = $1', [id, status]);
  await stage.pool.query('UPDATE deliveries SET status = $2 WHERE message_id = $1', [id, status]);
  return { id, chat, conversation };
}

const removeLinks = (conversation: string) =>
  stage.pool.query(
    `SELECT remove_link(c, l) FROM conversations c JOIN links l ON l.conversation_id = c.id WHERE c.id = $1`,
    [conversation],
  );

async function release({ id }: Stored): Promise<unknown> {
  await stage.pool.query(
    `UPDATE messages SET send_at = now() - interval '1 s' WHERE id = $1 AND status = 'scheduled'`,
    [id],
  );
  return stage.messages.release(id);
}

async function perform(stored: Stored, move: Move): Promise<unknown> {
  const { id, chat, conversation } = stored;
  switch (move) {
    case 'read':
      return new PostgresMessageActions(stage.pool).read(stage.scope, id, stage.memberId);
    case 'due':
      return release(stored);
    case 'due_internal':
      // Without the side effects of removing a link.
      await stage.pool.query(`UPDATE links SET direction = 'inbound' WHERE conversation_id = $1`, [
        conversation,
      ]);
      return release(stored);
    case 'due_blocked':
      await stage.pool.query(
        `UPDATE users SET stopped_at = now() WHERE id IN (SELECT user_id FROM identities WHERE external_id = $1)`,
        [chat],
      );
      return release(stored);
    case 'unlink':
      return removeLinks(conversation);
    case 'delete':
      return stage.messages.delete(stage.scope, id, stage.memberId);
  }
}

const statusOf = async (id: string) =>
  (await values<MessageStatus>(stage.pool, 'SELECT status FROM messages WHERE id = $1', [id]))[0];

test('A message follows its state table in every state and for every move.', async () => {
  const observed = await observedOutcomes(messageStates, async (status, move) => {
    const stored = await inState(status);
    await perform(stored, move);
    return statusOf(stored.id);
  });
  expect(observed).toEqual(statedOutcomes(messageStates));
});

test('An outbound message has the status that follows from its deliveries, for every pair of them.', async () => {
  const conversation = await stage.conversation();
  await stage.link(conversation, connection, uuidv7());
  await stage.link(conversation, await stage.connection('beta'), uuidv7());
  const { id } = await stage.send(conversation, 'Hello');
  const observed: Record<string, string | undefined> = {};
  const stated: typeof observed = {};
  for (const one of deliveryStatuses) {
    for (const other of deliveryStatuses) {
      await stage.pool.query(
        `UPDATE deliveries d SET status = CASE platform WHEN 'alpha' THEN $2 ELSE $3 END WHERE message_id = $1`,
        [id, one, other],
      );
      await stage.pool.query(`UPDATE messages SET status = 'queued' WHERE id = $1`, [id]);
      await stage.pool.query('SELECT sync_message_statuses(ARRAY[$1::uuid])', [id]);
      observed[`${one}, ${other}`] = await statusOf(id);
      stated[`${one}, ${other}`] = derivedStatus([one, other]);
    }
  }
  expect(observed).toEqual(stated);
});

test('A message with one delivery has the status of the delivery, and a canceled message stays canceled.', async () => {
  const conversation = await stage.conversation();
  await stage.link(conversation, connection, uuidv7());
  const { id } = await stage.send(conversation, 'Hello');
  for (const status of deliveryStatuses) {
    await stage.pool.query('UPDATE deliveries SET status = $2 WHERE message_id = $1', [id, status]);
    await stage.pool.query(`UPDATE messages SET status = 'queued' WHERE id = $1`, [id]);
    await stage.pool.query('SELECT sync_message_statuses(ARRAY[$1::uuid])', [id]);
    expect(await statusOf(id)).toBe(derivedStatus([status]));
    await stage.pool.query(`UPDATE messages SET status = 'canceled' WHERE id = $1`, [id]);
    await stage.pool.query('SELECT sync_message_statuses(ARRAY[$1::uuid])', [id]);
    expect(await statusOf(id)).toBe('canceled');
  }
});

test('The database permits the statuses of the table of messages and no others.', async () => {
  expect(await permittedStatuses(stage.pool, 'messages')).toEqual([...messageStatuses].sort());
});
