import { expect, test } from 'vitest';
import { type BroadcastStatus, broadcastStates } from '../../../src/core/broadcasts/states.js';
import {
  addresses,
  type BroadcastStage,
  broadcastStage,
  wholeSchedule,
} from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { observedOutcomes, permittedStatuses, statedOutcomes } from '../../support/state-machine.js';

type Move = keyof typeof broadcastStates.moves;

let stage: BroadcastStage;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  await stage.connection('alpha');
});

const HOUR = 3_600_000;
const UNSTARTED: readonly BroadcastStatus[] = ['draft', 'scheduled', 'preparing'];
const FILTERS = { included: [], excluded: [], addressForms: {}, cap: null };

/** The schedule that makes a move possible. */
function scheduleFor(move: Move): object | null {
  if (move === 'schedule') return { at: new Date(Date.now() + HOUR).toISOString() };
  if (move === 'expire') return { expires_at: new Date(Date.now() - HOUR).toISOString() };
  if (move === 'quiet_begins') return { quiet_hours: { from: '00:00', to: '00:00' } };
  return null;
}

/** A broadcast with one recipient in a state, prepared for the move. */
async function inState(status: BroadcastStatus, move: Move): Promise<string> {
  const recipients = move === 'prepare_without_recipients' ? addresses('unknown', 1) : addresses('alpha', 1);
  const id = await stage.create({ draft: UNSTARTED.includes(status), audience: { recipients } });
  // Freezes the audience.
  if (!UNSTARTED.includes(status)) await stage.step(id);
  if (move === 'complete') await stage.pool.query(`SELECT end_pending_recipients($1, 'canceled', 10)`, [id]);
  if (move === 'retry') {
    await stage.pool.query(`SELECT end_pending_recipients($1, 'failed', 10)`, [id]);
  }
  await stage.pool.query(
    `UPDATE broadcasts SET status = $2, schedule = $3, scheduled_at = CASE WHEN $2 = 'scheduled' THEN now() END
     WHERE id = $1`,
    [id, status, JSON.stringify(wholeSchedule(scheduleFor(move)))],
  );
  return id;
}

async function perform(id: string, status: BroadcastStatus, move: Move): Promise<unknown> {
  const { broadcasts, work, workspaceId } = stage;
  switch (move) {
    case 'change':
      return broadcasts.change(workspaceId, id, { name: 'Other' });
    case 'start':
    case 'schedule':
      return broadcasts.move(workspaceId, id, 'start');
    case 'pause':
    case 'resume':
      return broadcasts.move(workspaceId, id, move);
    case 'prepare':
    case 'prepare_without_recipients':
      return work.prepare({ id, workspaceId, status, audience: {} }, FILTERS);
    case 'quiet_begins':
    case 'quiet_ends':
      return work.sendChunk(id, 1);
    case 'complete':
      return stage.pool.query('SELECT complete_broadcast($1)', [id]);
    case 'expire':
      // One step ends the recipients, the next one ends the broadcast.
      return work.sendChunk(id, 1).then(() => work.sendChunk(id, 1));
    case 'cancel':
      return broadcasts.cancel(workspaceId, id);
    case 'retry':
      return broadcasts.retry(workspaceId, id);
  }
}

test('A broadcast follows its state table in every state and for every move.', async () => {
  const observed = await observedOutcomes(broadcastStates, async (status, move) => {
    const id = await inState(status, move);
    try {
      await perform(id, status, move);
      return (await stage.get(id)).status;
    } finally {
      // A workspace can send only a few broadcasts at a time.
      await stage.pool.query(`UPDATE broadcasts SET status = 'canceled' WHERE id = $1`, [id]);
    }
  });
  expect(observed).toEqual(statedOutcomes(broadcastStates));
});

test('The database permits the statuses of the table of broadcasts and no others.', async () => {
  expect(await permittedStatuses(stage.pool, 'broadcasts')).toEqual(
    Object.keys(broadcastStates.states).sort(),
  );
});
