import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { conversationStates, conversationStatuses } from '../../../src/core/conversations/states.js';
import { PostgresConversations } from '../../../src/store/conversations/conversations.js';
import { bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';
import { observedOutcomes, permittedStatuses, statedOutcomes } from '../../support/state-machine.js';

type Status = (typeof conversationStatuses)[number];
type Move = keyof typeof conversationStates.moves;

let stage: Awaited<ReturnType<typeof bridgeStage>>;
let connection: string;
let conversations: PostgresConversations;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  conversations = new PostgresConversations(pool);
});

const HOUR = 3_600_000;

/** A direct conversation with one link. It was closed an hour ago, or long ago if the move requires that. */
async function inState(status: Status, move: Move): Promise<{ id: string; chat: string }> {
  const chat = uuidv7();
  const { message } = await stage.post(connection, chat, 'Hi', { kind: 'direct', sender: chat });
  const id = message?.conversation_id as string;
  await stage.pool.query(
    `UPDATE conversations SET status = $2,
       snoozed_until = CASE WHEN $2 = 'snoozed' THEN now() + make_interval(hours => $4) END,
       closed_at = CASE WHEN $2 IN ('resolved', 'archived') THEN now() - make_interval(hours => $3) END
     WHERE id = $1`,
    [id, status, move === 'inbound_late' ? 25 : 1, move === 'snooze_ends' ? -1 : 1],
  );
  return { id, chat };
}

const PATCHES: Partial<Record<Move, Status>> = {
  open: 'open',
  pend: 'pending',
  snooze: 'snoozed',
  resolve: 'resolved',
  archive: 'archived',
};

async function perform({ id, chat }: { id: string; chat: string }, move: Move): Promise<unknown> {
  const status = PATCHES[move];
  if (status !== undefined) {
    const until = status === 'snoozed' && { snoozed_until: new Date(Date.now() + HOUR).toISOString() };
    return conversations.change(stage.scope, id, stage.memberId, { status, ...until });
  }
  if (move === 'snooze_ends') return conversations.endSnooze(id);
  return stage.post(connection, chat, 'Again', { kind: 'direct', sender: chat });
}

test('A conversation follows its state table in every state and for every move.', async () => {
  const observed = await observedOutcomes(conversationStates, async (status, move) => {
    const conversation = await inState(status, move);
    await perform(conversation, move);
    const [after] = await values<Status>(stage.pool, 'SELECT status FROM conversations WHERE id = $1', [
      conversation.id,
    ]);
    return after;
  });
  expect(observed).toEqual(statedOutcomes(conversationStates));
});

test('The database permits the statuses of the table of conversations and no others.', async () => {
  expect(await permittedStatuses(stage.pool, 'conversations')).toEqual([...conversationStatuses].sort());
});
