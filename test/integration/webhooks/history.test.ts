import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Housekeeping } from '../../../src/store/maintenance/housekeeping.js';
import { loopbackReceiver } from '../../support/loopback-receiver.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { type WebhookStage, webhookStage } from '../../support/webhook-stage.js';

let database: TestDatabase;
let stage: WebhookStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = webhookStage(database);
});
afterAll(async () => {
  await stage.guard.close();
  await database.drop();
});

/** The id of a delivery as if it had been created at this time. */
const idOf = (moment: string) => `(left(uuid7_at(${moment})::text, 13) || substr(d.id::text, 14))::uuid`;

describe('webhook housekeeping', () => {
  it('deletes deliveries after 30 days, unless they are pending, and then their events', async () => {
    const receiver = await loopbackReceiver((_request, response) => response.writeHead(200).end());
    const caller = await stage.caller();
    const { id } = await stage.register(caller, receiver.url);
    const ages = ['50 days', '31 days', '29 days'];
    for (const age of ages) {
      await stage.emit(caller, { type: 'call.ended', data: { id: age } });
      await stage.deliver(id);
      await database.pool.query(
        `UPDATE events SET occurred_at = now() - $1::interval WHERE data->>'id' = $1`,
        [age],
      );
      await database.pool.query(
        `UPDATE webhook_deliveries d SET created_at = e.occurred_at, id = ${idOf('e.occurred_at')}
         FROM events e WHERE e.id = d.event_id`,
      );
    }
    await stage.emit(caller, { type: 'call.ended', data: { id: 'pending' } });
    await database.pool.query(
      `UPDATE webhook_deliveries d SET created_at = now() - interval '31 days', id = ${idOf("now() - interval '31 days'")}
       WHERE status = 'pending'`,
    );
    await new Housekeeping(database.pool).purge();
    const { rows } = await database.pool.query(
      `SELECT e.data->>'id' AS event, d.status FROM events e LEFT JOIN webhook_deliveries d ON d.event_id = e.id
       WHERE e.type = 'call.ended' ORDER BY e.position`,
    );
    expect(rows).toEqual([
      { event: '31 days', status: null },
      { event: '29 days', status: 'succeeded' },
      { event: 'pending', status: 'pending' },
    ]);
    await receiver.close();
  });

  it('deletes excerpts of responses after 7 days, and those beyond the newest 20 of a delivery', async () => {
    const caller = await stage.caller();
    const receiver = await loopbackReceiver((_request, response) => response.writeHead(500).end('Broken'));
    const { id } = await stage.register(caller, receiver.url);
    await stage.emit(caller, { type: 'call.ended', data: { id: 'call' } });
    for (let attempt = 0; attempt < 22; attempt++) {
      await stage.deliver(id);
      const [{ id: delivery, status }] = await stage.records(id);
      if (status === 'dead') await stage.retry.execute(caller, id, delivery);
      await stage.makeDue(id);
    }
    const [{ id: delivery, attempts }] = await stage.records(id);
    expect(attempts).toHaveLength(22);
    const answers = () => stage.deliveries.answers(caller.workspaceId, delivery);
    const kept = await answers();
    expect(kept).toHaveLength(20);
    expect(kept.map(({ at }) => at)).toEqual(attempts.slice(2).map(({ at }: { at: string }) => at));
    await database.pool.query(
      `UPDATE webhook_answers SET at = at - interval '8 days' WHERE at < $1::timestamptz`,
      [attempts[12].at],
    );
    await new Housekeeping(database.pool).purge();
    expect(await answers()).toHaveLength(10);
    await receiver.close();
  });

  it('marks a test whose process died as dead, and does not repeat it', async () => {
    const caller = await stage.caller();
    const receiver = await loopbackReceiver((_request, response) => response.writeHead(200).end());
    const { id } = await stage.register(caller, receiver.url);
    await stage.queue.claimTest(id, 'Never tried.');
    await database.pool.query(
      `UPDATE webhook_deliveries SET leased_until = now() - interval '1 ms' WHERE webhook_id = $1`,
      [id],
    );
    await stage.deliver(id);
    await new Housekeeping(database.pool).purge();
    expect(await stage.records(id)).toMatchObject([{ event: 'webhook.test', status: 'dead', attempts: [] }]);
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });
});
