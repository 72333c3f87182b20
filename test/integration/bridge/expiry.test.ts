import { expect, it } from 'vitest';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';

let stage: BridgeStage;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
});

/** A delivery that expires in this many milliseconds. */
async function ending(ms: number, status = 'queued'): Promise<string> {
  const conversation = await stage.conversation();
  await stage.link(conversation, await stage.connection('alpha'), `chat ${ms}`);
  const { id } = await stage.send(conversation, 'x');
  await stage.pool.query(
    `UPDATE deliveries SET status = $2, expires_at = now() + make_interval(secs => $3::float / 1000) WHERE message_id = $1`,
    [id, status, ms],
  );
  return id;
}

it('a running write does not expire and sets no next expiry', async () => {
  const id = await ending(-1, 'sending');
  expect(await stage.deliveries.expire()).toBeUndefined();
  expect((await stage.message(id)).deliveries[0]?.status).toBe('sending');
});

it('due deliveries expire, and the time until the next expiry is returned', async () => {
  const over = [await ending(-1), await ending(0, 'uncertain')];
  const soon = await ending(30_000);
  await ending(50_000);
  const next = (await stage.deliveries.expire()) ?? 0;
  expect(next).toBeGreaterThan(20_000);
  expect(next).toBeLessThanOrEqual(30_000);
  const statuses = async (ids: string[]) =>
    (await Promise.all(ids.map((id) => stage.message(id)))).map(({ status }) => status);
  expect(await statuses([...over, soon])).toEqual(['expired', 'failed', 'queued']);
});
