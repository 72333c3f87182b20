import { describe, expect, it, vi } from 'vitest';
import { Stopwatch } from '../../../src/core/common/stopwatch.js';
import { BEGIN_MS } from '../../../src/core/deliveries/dispatch/lane-lease.js';
import { GRACE_MS, STEP_LIMIT_MS } from '../../../src/core/deliveries/send/call-with-timeout.js';
import { LEASE_SECONDS } from '../../../src/store/deliveries/deliveries.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BridgeStage;
let connection: string;
let conversation: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha', { uncertain_policy: 'reconcile' });
  conversation = await stage.conversation();
  await stage.link(conversation, connection, 'a');
});

/** A worker that waits at its last check before the write until the test lets the check return. */
async function atItsLastLook() {
  const worker = stage.deliverer();
  worker.platform.policy = 'reconcile';
  const withheld = stage.deliveries.withheld.bind(stage.deliveries);
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    stage.deliveries.withheld = async (ids) => {
      stage.deliveries.withheld = withheld;
      const known = await withheld(ids);
      resolve();
      await new Promise<void>((go) => {
        answer = go;
      });
      return known;
    };
  });
  // Leased so early that the worker must check again.
  const askedAt = new Stopwatch(600);
  worker.deliver.enqueueLeased(connection, { tasks: await stage.deliveries.claim(connection, 10), askedAt });
  const run = worker.deliver.runHandoff(connection, worker.stop.signal);
  await asked;
  return { ...worker, answer: () => answer(), run };
}

/** The lanes of dead or suspended workers are taken over. */
async function takeOver(): Promise<void> {
  await stage.pool.query(
    `UPDATE links SET leased_until = now() - interval '1 s' WHERE workspace_id = $1 AND leased_until IS NOT NULL`,
    [stage.workspaceId],
  );
  await stage.deliveries.sweep();
  await stage.makeDue();
}

/** Simulates elapsed time without waiting. */
function standStill(ms: number): () => void {
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  return () => spy.mockRestore();
}

describe('a worker that was suspended at its last check', () => {
  it('writes nothing once another worker has taken its lane over and sent the message', async () => {
    const { id } = await stage.send(conversation, 'x');
    const frozen = await atItsLastLook();
    await takeOver();
    const other = stage.deliverer();
    other.platform.policy = 'reconcile';
    other.platform.lookups = [{ outcome: 'absent', resend: 'settled' }];
    await other.run(connection);
    expect(other.platform.texts()).toEqual(['x']);
    const wake = standStill(LEASE_SECONDS * 1_000);
    frozen.answer();
    await frozen.run.finally(wake);
    expect(frozen.platform.texts()).toEqual([]);
    expect(await stage.delivery(id)).toMatchObject({ status: 'sent', attempt_count: 2 });
  });

  it('writes when no other worker has taken its lane over', async () => {
    const { id } = await stage.send(conversation, 'x');
    const slow = await atItsLastLook();
    const now = performance.now.bind(performance);
    const progress = stage.deliveries.progress.bind(stage.deliveries);
    let ahead = LEASE_SECONDS * 1_000;
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    const renewals: number[] = [];
    stage.deliveries.progress = async (...args) => {
      renewals.push(now());
      // The first answer arrives too late to prove that the lease still holds.
      if (renewals.length === 1) ahead += BEGIN_MS + 1_000;
      return progress(...args);
    };
    slow.answer();
    await slow.run.finally(() => spy.mockRestore());
    expect(renewals).toHaveLength(2);
    expect(slow.platform.texts()).toEqual(['x']);
    expect((await stage.delivery(id)).status).toBe('sent');
  });
});

it('a write that starts as late as possible and takes as long as allowed ends within its lease', () => {
  expect(BEGIN_MS + STEP_LIMIT_MS + GRACE_MS).toBeLessThan(LEASE_SECONDS * 1_000);
});

describe('a send that was leased and has not started', () => {
  /** The send waits for its turn after another one. */
  async function waiting() {
    const { id } = await stage.send(conversation, 'taken back');
    const tasks = await stage.deliveries.claim(connection, 10, { atOnce: 0 });
    const worker = stage.deliverer();
    return {
      id,
      async begin() {
        worker.deliver.enqueueLeased(connection, { tasks, askedAt: new Stopwatch(1_000) });
        await worker.deliver.runHandoff(connection, worker.stop.signal);
        return worker.platform.calls.map(({ action, text }) => `${action} ${text}`);
      },
    };
  }

  const ends = (id: string) =>
    values<string>(stage.pool, 'SELECT status FROM deliveries WHERE message_id = $1', [id]);

  it('is canceled when its message is deleted before it starts, and leaves nothing to remove', async () => {
    const { id, begin } = await waiting();
    await stage.messages.delete(stage.scope, id, stage.memberId);
    expect(await begin()).toEqual([]);
    expect(await ends(id)).toEqual(['canceled']);
  });

  it('is canceled when its chat is unlinked before it starts', async () => {
    const { id, begin } = await waiting();
    await stage.pool.query('UPDATE links SET removed_at = now() WHERE conversation_id = $1', [conversation]);
    expect(await begin()).toEqual([]);
    expect(await ends(id)).toEqual(['canceled']);
  });
});
