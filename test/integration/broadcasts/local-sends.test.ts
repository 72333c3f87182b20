import { describe, expect, it } from 'vitest';
import { Audiences } from '../../../src/core/broadcasts/audience.js';
import { RunBroadcast } from '../../../src/core/broadcasts/run.js';
import { noDispatcher } from '../../../src/core/deliveries/dispatch/local-dispatcher.js';
import type { DeliveryTask } from '../../../src/core/deliveries/task.js';
import { untouched } from '../../../src/core/deliveries/task-result.js';
import { PostgresBroadcastWork } from '../../../src/store/broadcasts/recipients.js';
import { PostgresSegments } from '../../../src/store/segments/segments.js';
import { sent } from '../../support/bridge.js';
import { addresses, type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BroadcastStage;
let connection: string;
let given: DeliveryTask[];
let capacities: Record<string, number>;
let run: RunBroadcast;

/** Whether a client subscribes to each move of a delivery. */
const listening = (is: boolean) =>
  stage.pool.query('UPDATE event_interest SET moves_until = $2 WHERE workspace_id = $1', [
    stage.workspaceId,
    is ? 'infinity' : '-infinity',
  ]);

/** A process that sends for `capacities` and records the deliveries that it is given. */
beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  connection = await stage.connection('alpha');
  given = [];
  capacities = { [connection]: 5 };
  await listening(false);
  const dispatcher = {
    ...noDispatcher,
    capacities: () => capacities,
    take: async (tasks: readonly DeliveryTask[]) => void given.push(...tasks),
  };
  const work = new PostgresBroadcastWork(stage.pool, dispatcher);
  run = new RunBroadcast(work, new Audiences(new PostgresSegments(stage.pool)), dispatcher);
});

/** A broadcast that starts to send to this many recipients. */
async function begun(count: number): Promise<string> {
  const id = await stage.create({ audience: { recipients: addresses('alpha', count) } });
  await stage.step(id);
  return id;
}

const opened = async () => {
  const ids = await stage.deliveries.openAttempts(given);
  return given.map((task) => ({ ...task, attempt_id: ids.get(task.delivery_id) ?? null }));
};
const finish = async () => {
  for (let tasks = await stage.deliveries.claim(connection, 50); tasks.length > 0; ) {
    await stage.deliveries.settle(tasks.map((task) => sent(task)));
    tasks = await stage.deliveries.claim(connection, 50);
  }
};

describe('messages of a broadcast that a process sends itself', () => {
  it('are leased to it when they are created, up to its capacity, and the rest wait in their lanes', async () => {
    const id = await begun(8);
    await run.execute(id);
    expect(given).toHaveLength(5);
    expect(given[0]).toMatchObject({ connection_id: connection, attempt_count: 1, attempt_id: null });
    expect(await stage.deliveriesOf(id)).toEqual({ sending: 5, queued: 3 });
    const states = await values(
      stage.pool,
      `SELECT jsonb_build_array(m.status, r.status, r.attempts) FROM messages m JOIN broadcast_recipients r ON r.message_id = m.id
       WHERE m.broadcast_id = $1 ORDER BY m.id`,
      [id],
    );
    expect(states).toEqual([
      ...Array.from({ length: 5 }, () => ['sending', 'sending', 1]),
      ...Array.from({ length: 3 }, () => ['queued', 'queued', 0]),
    ]);
    expect(await stage.countsAgree(id)).toBe(true);
    await stage.deliveries.settle((await opened()).map((task) => sent(task)));
    await finish();
    expect(await stage.get(id)).toMatchObject({ status: 'completed', counts: { sent: 8 } });
    expect(await stage.countsAgree(id)).toBe(true);
  });

  it('are not claimed by another worker, and are due again when the process dies before sending', async () => {
    const id = await begun(5);
    await run.execute(id);
    expect(await stage.deliveries.claim(connection, 50)).toEqual([]);
    await stage.pool.query("UPDATE links SET leased_until = now() - interval '1 s'");
    await stage.deliveries.sweep();
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 5 });
    expect(await stage.deliveries.openAttempts(given)).toEqual(new Map());
    await finish();
    expect(await stage.get(id)).toMatchObject({ status: 'completed', counts: { sent: 5 } });
  });

  it('wait for earlier messages in their chats', async () => {
    await run.execute(await begun(2));
    const [first, second] = given as [DeliveryTask, DeliveryTask];
    await stage.deliveries.settle([untouched(second)]);
    given = [];
    const id = await begun(3);
    await run.execute(id);
    expect(given).toHaveLength(1);
    expect(given.map(({ link }) => link.id)).not.toContain(first.link.id);
    expect(await stage.deliveriesOf(id)).toEqual({ sending: 1, queued: 2 });
  });

  it('are not leased while the platform asks the account to wait or refuses it', async () => {
    for (const [state, was] of [
      ["paused_until = now() + interval '1 min'", 'paused_until = NULL'],
      ["status = 'error'", "status = 'connected'"],
    ]) {
      await stage.pool.query(`UPDATE connections SET ${state} WHERE id = $1`, [connection]);
      await run.execute(await begun(2));
      expect(given).toEqual([]);
      await stage.pool.query(`UPDATE connections SET ${was} WHERE id = $1`, [connection]);
    }
  });

  it('are visible as queued first when a subscriber receives delivery updates', async () => {
    await listening(true);
    const id = await begun(2);
    await run.execute(id);
    expect(given).toEqual([]);
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 2 });
  });

  it('are canceled with the broadcast if they were not sent yet', async () => {
    const id = await begun(8);
    await run.execute(id);
    const [beginning, ...waiting] = await opened();
    await stage.control.cancel(stage.caller, id);
    expect(await stage.deliveries.withheld(waiting.map((task) => task.delivery_id))).toHaveLength(4);
    await stage.deliveries.settle([sent(beginning!), ...waiting.map(untouched)]);
    expect(await stage.deliveriesOf(id)).toEqual({ sent: 1, canceled: 7 });
    expect(await stage.get(id)).toMatchObject({ status: 'canceled', counts: { sent: 1, canceled: 7 } });
  });
});

it('the broadcast waits for capacity before it leases more', async () => {
  const id = await begun(400);
  const asked: [string, number][] = [];
  const dispatcher = {
    ...noDispatcher,
    capacities: () => capacities,
    take: async (tasks: readonly DeliveryTask[]) => void given.push(...tasks),
    awaitCapacity: async (taker: string, least: number) => {
      asked.push([taker, least]);
      expect(given.length).toBeGreaterThan(0);
      await stage.deliveries.settle((await opened()).map((task) => sent(task)));
      given = [];
    },
  };
  capacities = { [connection]: 200 };
  const carrying = new RunBroadcast(
    new PostgresBroadcastWork(stage.pool, dispatcher),
    new Audiences(new PostgresSegments(stage.pool)),
    dispatcher,
  );
  await carrying.run(id, new AbortController().signal);
  expect(asked).toEqual([[connection, 240]]);
  await finish();
  expect(await stage.get(id)).toMatchObject({ status: 'completed', counts: { sent: 400 } });
});
