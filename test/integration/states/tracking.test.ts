import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trackingStates, trackingStatuses } from '../../../src/core/extras/locations/states.js';
import { PostgresTracking } from '../../../src/store/extras/locations.js';
import { makeContact, makeWorld, type World } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { observedOutcomes, permittedStatuses, statedOutcomes } from '../../support/state-machine.js';

type Status = (typeof trackingStatuses)[number];
type Move = keyof typeof trackingStates.moves;

let database: TestDatabase;
let world: World;
let tracking: PostgresTracking;
let contacts = 0;

beforeAll(async () => {
  database = await testDatabase();
  world = await makeWorld(database.pool);
  tracking = new PostgresTracking(database.pool);
});
afterAll(() => database?.drop());

/** A session of a contact in a state. */
async function inState(status: Status): Promise<{ id: string; userId: string }> {
  contacts += 1;
  const userId = await makeContact(database.pool, world.workspaceId, `+49151${100_000 + contacts}`);
  const { id } = await tracking.start({
    id: uuidv7(),
    workspace_id: world.workspaceId,
    user_id: userId,
    started_by: world.memberId,
    purpose: null,
    interval_seconds: 15,
    duration_seconds: 3_600,
    share_with: [],
    metadata: {},
  });
  await database.pool.query('UPDATE tracking_sessions SET status = $2 WHERE id = $1', [id, status]);
  return { id, userId };
}

const setConsent = (userId: string, tracking: string) =>
  database.pool.query('UPDATE users SET consent = consent || $2 WHERE id = $1', [
    userId,
    JSON.stringify({ tracking }),
  ]);

async function perform({ id, userId }: { id: string; userId: string }, move: Move): Promise<unknown> {
  const action = { workspace_id: world.workspaceId, id };
  switch (move) {
    case 'grant':
    case 'refuse':
      return tracking.consent({ ...action, caller_id: world.memberId, granted: move === 'grant' });
    case 'stop':
      return tracking.stop(action);
    case 'consent_granted':
      return setConsent(userId, 'granted');
    case 'consent_denied':
      return setConsent(userId, 'denied');
    case 'expire':
      await database.pool.query(
        `UPDATE tracking_sessions SET expires_at = now() - interval '1 ms' WHERE id = $1`,
        [id],
      );
      return tracking.expire(id);
  }
}

test('A tracking session follows its state table in every state and for every move.', async () => {
  const observed = await observedOutcomes(trackingStates, async (status, move) => {
    const session = await inState(status);
    await perform(session, move);
    return (await tracking.find(world.workspaceId, session.id))?.status;
  });
  expect(observed).toEqual(statedOutcomes(trackingStates));
});

test('The database permits the statuses of the table of tracking sessions and no others.', async () => {
  expect(await permittedStatuses(database.pool, 'tracking_sessions')).toEqual([...trackingStatuses].sort());
});
