import { describe, expect, it } from 'vitest';
import { PostgresDeliveries } from '../../../src/store/deliveries/deliveries.js';
import type { BegunWrites } from '../../../src/store/deliveries/write-journal.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BridgeStage;
let connection: string;
let conversation: string;
let link: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha', { uncertain_policy: 'reconcile' });
  conversation = await stage.conversation();
  link = await stage.link(conversation, connection, 'a');
});

/** A worker of the process `dead` claims a message, writes this many of its parts, and crashes. */
async function dieAfter(written: number, text = 'one\ntwo\nthree') {
  const { id } = await stage.send(conversation, text);
  const worker = stage.deliverer();
  worker.platform.script = (_call, number) => (number > written ? new Promise(() => undefined) : undefined);
  worker.run(connection).catch(() => undefined);
  await expect.poll(() => worker.platform.calls.length).toBe(written + 1);
  await stage.pool.query(`UPDATE attempts SET process = 'dead' WHERE link_id = $1`, [link]);
  const [attempt = ''] = await values<string>(stage.pool, 'SELECT id FROM attempts WHERE link_id = $1', [
    link,
  ]);
  return { id, attempt };
}

/** Its lease ends, and a sweeper that reads these journals takes over. */
async function takeOver(begun: BegunWrites) {
  await stage.pool.query(`UPDATE links SET leased_until = now() - interval '1 s' WHERE id = $1`, [link]);
  await new PostgresDeliveries(stage.pool, () => begun).sweep();
}

describe('a send that a dead worker had opened', () => {
  it('is sent as if it had not been opened when its journal shows no write of it', async () => {
    const { id } = await dieAfter(0);
    await takeOver({ dead: [] });
    expect(await stage.delivery(id)).toMatchObject({
      status: 'queued',
      attempt_count: 0,
      uncertain_at: null,
    });
    const successor = stage.deliverer();
    await successor.run(connection);
    expect(successor.platform.texts()).toEqual(['one', 'two', 'three']);
    expect((await stage.delivery(id)).status).toBe('sent');
  });

  it.each([
    ['its journal shows that a write of it was begun', (attempt: string) => ({ dead: [`${attempt}.0`] })],
    ['its journal is not there', () => ({ another: [] })],
  ])('is uncertain when %s', async (_, journals) => {
    const { id, attempt } = await dieAfter(0);
    await takeOver(journals(attempt));
    expect((await stage.delivery(id)).status).toBe('uncertain');
  });

  it('continues after the recorded parts when the next one was not started', async () => {
    const { id, attempt } = await dieAfter(1);
    await takeOver({ dead: [`${attempt}.0`] });
    const successor = stage.deliverer();
    await successor.run(connection);
    expect(successor.platform.texts()).toEqual(['two', 'three']);
    expect(await stage.delivery(id)).toMatchObject({ status: 'sent', uncertain_at: null });
  });

  it('is uncertain when the next part was started', async () => {
    const { id, attempt } = await dieAfter(1);
    await takeOver({ dead: [`${attempt}.0`, `${attempt}.1`] });
    expect((await stage.delivery(id)).status).toBe('uncertain');
  });

  it('is taken over later when its lease ended only after the journals were read', async () => {
    const { id } = await dieAfter(0);
    await stage.pool.query(`UPDATE links SET leased_until = now() - interval '1 s' WHERE id = $1`, [link]);
    await stage.pool.query(`SELECT take_over_lanes('{"dead":[]}', now() - interval '2 s')`);
    expect((await stage.delivery(id)).status).toBe('sending');
  });
});
