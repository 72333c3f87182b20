import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callStates, callStatuses } from '../../../src/core/calls/states.js';
import { PostgresCalls } from '../../../src/store/calls/calls.js';
import { makeMember, makeWorld, type World } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { observedOutcomes, permittedStatuses, statedOutcomes } from '../../support/state-machine.js';

type Status = (typeof callStatuses)[number];
type Move = keyof typeof callStates.moves;

let database: TestDatabase;
let world: World;
let calls: PostgresCalls;

beforeAll(async () => {
  database = await testDatabase();
  world = await makeWorld(database.pool);
  calls = new PostgresCalls(database.pool);
});
afterAll(() => database?.drop());

const OTHERS: Record<Status, string> = {
  initiated: 'invited',
  ringing: 'ringing',
  active: 'joined',
  ended: 'left',
  failed: 'left',
};

/** A call of two members in a state: the other one has been invited, is ringing, is in the call, or has left it. */
async function inState(status: Status): Promise<{ id: string; other: string }> {
  const other = await makeMember(database.pool, world.workspaceId, `member_${uuidv7().slice(-8)}`);
  const { id } = await calls.create({
    id: uuidv7(),
    workspace_id: world.workspaceId,
    initiator_id: world.memberId,
    type: 'voice',
    ring_timeout: 300,
    max_duration: 3_600,
    metadata: {},
    participant_ids: [other],
  });
  await database.pool.query(
    `UPDATE calls SET status = $2, answered_at = CASE WHEN $2 = 'active' THEN now() END WHERE id = $1`,
    [id, status],
  );
  await database.pool.query('UPDATE call_participants SET status = $3 WHERE call_id = $1 AND user_id = $2', [
    id,
    other,
    OTHERS[status],
  ]);
  return { id, other };
}

const set = (id: string, columns: string) =>
  database.pool.query(`UPDATE calls SET ${columns} WHERE id = $1`, [id]);

async function perform({ id, other }: { id: string; other: string }, move: Move): Promise<unknown> {
  const scope = { workspaceId: world.workspaceId };
  switch (move) {
    case 'ring':
      return database.pool.query(`SELECT ring_call(c, '{member}') FROM calls c WHERE id = $1`, [id]);
    case 'invitation_fails':
      await set(id, `started_at = now() - interval '16 s'`);
      return calls.advance(id);
    case 'no_answer':
      await set(id, `started_at = now() - interval '11 s', ring_timeout = 10`);
      return calls.advance(id);
    case 'join':
    case 'decline':
    case 'leave':
      return calls.signal(scope, id, other, { type: move });
    case 'end':
      return calls.end(scope, id, world.memberId, undefined);
    case 'vacant':
      await set(id, `vacant_since = now() - interval '31 s'`);
      return calls.advance(id);
    case 'max_duration':
      await set(id, `answered_at = now() - interval '61 minutes'`);
      return calls.advance(id);
    case 'unreachable':
      // The database rounds to milliseconds, so a limit of 60 s may not be over exactly 60 s later.
      await set(id, `started_at = now() - interval '61 s'`);
      await database.pool.query(`UPDATE signaling SET reachable_at = now() - interval '61 s'`);
      return calls.sweep();
  }
}

test('A call follows its state table in every state and for every move.', async () => {
  const observed = await observedOutcomes(callStates, async (status, move) => {
    await database.pool.query('UPDATE signaling SET reachable_at = clock_timestamp()');
    const call = await inState(status);
    await perform(call, move);
    return (await calls.find({ workspaceId: world.workspaceId }, call.id))?.status;
  });
  expect(observed).toEqual(statedOutcomes(callStates));
});

test('The database permits the statuses of the table of calls and no others.', async () => {
  expect(await permittedStatuses(database.pool, 'calls')).toEqual([...callStatuses].sort());
});
