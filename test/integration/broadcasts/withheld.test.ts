import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { remoteMessageId } from '../../../src/contract/index.js';
import { PostgresMessageActions } from '../../../src/store/message-actions.js';
import { ended } from '../../support/bridge.js';
import { addresses, type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase | undefined;
let stage: BroadcastStage;
let connection: string;
let worker: ReturnType<BroadcastStage['deliverer']>;

beforeEach(async () => {
  database ??= await testDatabase();
  stage = await broadcastStage(database.pool);
  connection = await stage.connection('alpha', { uncertain_policy: 'reconcile' });
  worker = stage.deliverer();
  worker.platform.policy = 'reconcile';
});

afterAll(() => database?.drop());

const soon = () => new Date(Date.now() + 2_000).toISOString();

describe('what is uncertain when its broadcast is canceled', () => {
  let id: string;

  beforeEach(async () => {
    id = await stage.create({ audience: { recipients: addresses('alpha', 3) } });
    await stage.step(id, 2);
    const lost = await stage.deliveries.claim(connection, 2);
    await stage.deliveries.settle(lost.map((task) => ended(task, 'uncertain', { next_attempt_at: soon() })));
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 1, uncertain: 2 });
    await stage.steer.cancel(stage.caller, id);
    expect((await stage.get(id)).status).toBe('canceled');
    await stage.makeDue();
  });

  it('is looked for, and canceled where the platform has nothing of it', async () => {
    worker.platform.lookups = [{ outcome: 'absent' }, { outcome: 'found', remoteId: remoteMessageId('x') }];
    await worker.run(connection);
    expect(worker.platform.calls).toEqual([]);
    expect(await stage.deliveriesOf(id)).toEqual({ canceled: 2, sent: 1 });
    expect(await stage.get(id)).toMatchObject({
      status: 'canceled',
      counts: { canceled: 2, sent: 1, uncertain: 0 },
    });
    expect(await stage.countsAgree(id)).toBe(true);
  });

  it('is canceled as well where the connection would try again without asking', async () => {
    worker.platform.policy = 'retry';
    await stage.pool.query(`UPDATE messages SET category = 'transactional' WHERE broadcast_id = $1`, [id]);
    await worker.run(connection);
    expect(worker.platform.calls).toEqual([]);
    expect(await stage.deliveriesOf(id)).toEqual({ canceled: 3 });
  });

  it('goes out when somebody says that it is not there, and tries the message again', async () => {
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
