import { beforeEach, describe, expect, it } from 'vitest';
import { remoteMessageId } from '../../../src/contract/index.js';
import { Stopwatch } from '../../../src/core/common/stopwatch.js';
import { PostgresMessageActions } from '../../../src/store/messages/message-actions.js';
import { ended } from '../../support/bridge.js';
import { addresses, type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BroadcastStage;
let connection: string;
let worker: ReturnType<BroadcastStage['deliverer']>;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  connection = await stage.connection('alpha', { uncertain_policy: 'reconcile' });
  worker = stage.deliverer();
  worker.platform.policy = 'reconcile';
});

const soon = () => new Date(Date.now() + 2_000).toISOString();

describe('an uncertain delivery of a canceled broadcast', () => {
  let id: string;

  beforeEach(async () => {
    id = await stage.create({ audience: { recipients: addresses('alpha', 3) } });
    await stage.step(id, 2);
    const lost = await stage.deliveries.claim(connection, 2);
    await stage.deliveries.settle(lost.map((task) => ended(task, 'uncertain', { next_attempt_at: soon() })));
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 1, uncertain: 2 });
    await stage.control.cancel(stage.caller, id);
    expect((await stage.get(id)).status).toBe('canceled');
    await stage.makeDue();
  });

  it('is looked up, and canceled if the platform does not have it', async () => {
    worker.platform.lookups = [
      { outcome: 'absent', resend: 'settled' },
      { outcome: 'found', remoteId: remoteMessageId('x') },
    ];
    await worker.run(connection);
    expect(worker.platform.calls).toEqual([]);
    expect(await stage.deliveriesOf(id)).toEqual({ canceled: 2, sent: 1 });
    expect(await stage.get(id)).toMatchObject({
      status: 'canceled',
      counts: { canceled: 2, sent: 1, uncertain: 0 },
    });
    expect(await stage.countsAgree(id)).toBe(true);
  });

  it('is canceled as well if the connection would retry without a lookup', async () => {
    worker.platform.policy = 'retry';
    await stage.pool.query(`UPDATE messages SET category = 'transactional' WHERE broadcast_id = $1`, [id]);
    await worker.run(connection);
    expect(worker.platform.calls).toEqual([]);
    expect(await stage.deliveriesOf(id)).toEqual({ canceled: 3 });
  });

  it('is sent when a user states that it was not sent, and retries the message', async () => {
    const actions = new PostgresMessageActions(stage.pool);
    const [message] = await values<string>(
      stage.pool,
      "SELECT id FROM messages WHERE broadcast_id = $1 AND status = 'uncertain'",
      [id],
    );
    const delivery = (await stage.message(message!)).deliveries[0]!;
    await actions.resolveDelivery(stage.scope, delivery.id, 'failed');
    await actions.retry(stage.scope, message!);
    await worker.run(connection);
    expect(worker.platform.calls).toHaveLength(1);
    expect((await stage.message(message!)).status).toBe('sent');
  });
});

describe('a recipient whose chat belongs to a conversation with several people', () => {
  const stop = (address: string) =>
    stage.pool.query(
      `SELECT change_consent(u, 'denied', 'keyword', 'STOP') FROM users u JOIN identities i ON i.user_id = u.id
       WHERE i.workspace_id = $1 AND i.external_id = $2`,
      [stage.workspaceId, address],
    );

  /** A broadcast to two people. The chat of the first is in a group. */
  async function dispatched(): Promise<string> {
    const group = await stage.conversation();
    await stage.link(group, connection, 'alpha-0');
    const id = await stage.create({ audience: { recipients: addresses('alpha', 2) } });
    await stage.step(id, 2);
    return id;
  }

  it('does not receive queued or held deliveries after opting out', async () => {
    const id = await dispatched();
    await stop('alpha-0');
    expect(await stage.deliveriesOf(id)).toEqual({ blocked: 1, queued: 1 });
    expect((await stage.get(id)).skip_reasons).toEqual({ opted_out: 1 });
    await stage.control.move(stage.caller, id, 'pause');
    await stop('alpha-1');
    expect((await stage.get(id)).skip_reasons).toEqual({ opted_out: 2 });
  });

  it('does not receive leased messages that were not sent yet, while other recipients do', async () => {
    const id = await dispatched();
    const leased = await stage.deliveries.claim(connection, 10, { atOnce: 0 });
    await stop('alpha-0');
    // Leased so early that the worker checks again.
    worker.deliver.enqueueLeased(connection, { tasks: leased, askedAt: new Stopwatch(1_000) });
    await worker.deliver.runHandoff(connection, worker.stop.signal);
    expect(worker.platform.calls.map(({ chatId }) => chatId)).toEqual(['alpha-1']);
    expect(await stage.deliveriesOf(id)).toEqual({ blocked: 1, sent: 1 });
  });

  it('receives messages to the other people in the chat', async () => {
    const group = await stage.conversation();
    await stage.link(group, connection, 'alpha-0');
    await stop('alpha-0');
    await stage.send(group, 'Hello all');
    await worker.run(connection);
    expect(worker.platform.texts()).toEqual(['Hello all']);
  });
});
