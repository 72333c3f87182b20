import { expect, it } from 'vitest';
import { addresses, type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';

/** Expired broadcasts. */

let stage: BroadcastStage;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  await stage.connection('alpha');
});

const soon = (ms: number) => new Date(Date.now() + ms).toISOString();

it.each(['sending', 'paused'])(
  'queued deliveries end with the broadcast, and not when the sweeper runs: %s',
  async (status) => {
    const id = await stage.create({
      audience: { recipients: addresses('alpha', 5) },
      schedule: { expires_at: soon(3_600_000) },
    });
    await stage.step(id, 2);
    if (status === 'paused') await stage.control.move(stage.caller, id, 'pause');
    expect(await stage.get(id)).toMatchObject({ status, counts: { pending: 5 } });
    await stage.pool.query(
      `WITH over AS (UPDATE broadcasts SET schedule = schedule || jsonb_build_object('expires_at', wire_time(now())) WHERE id = $1)
       UPDATE deliveries SET expires_at = now() FROM messages m WHERE m.id = message_id AND m.broadcast_id = $1`,
      [id],
    );
    await stage.step(id);
    expect(await stage.get(id)).toMatchObject({ status: 'expired', counts: { pending: 0, expired: 5 } });
    expect(await stage.deliveriesOf(id)).toEqual({ expired: 5 });
    expect(await stage.countsAgree(id)).toBe(true);
  },
);

it('a recipient of a manual retry has the expiry of the retry', async () => {
  const id = await stage.create({
    audience: { recipients: addresses('alpha', 2) },
    schedule: { expires_at: soon(3_600_000) },
  });
  await stage.step(id, 2);
  await stage.pool.query(
    `WITH over AS (UPDATE broadcasts SET schedule = schedule || jsonb_build_object('expires_at', wire_time(now())) WHERE id = $1)
     UPDATE deliveries d SET expires_at = now() FROM broadcast_recipients r
     WHERE r.broadcast_id = $1 AND r.message_id = d.message_id AND r.address = 'alpha-1'`,
    [id],
  );
  await stage.step(id);
  expect(await stage.deliveriesOf(id)).toEqual({ expired: 1, queued: 1 });
  expect(await stage.get(id)).toMatchObject({ status: 'sending', counts: { pending: 1, expired: 1 } });
});

it('the expected end is not after the end of the schedule, and is absent if nothing determines it', async () => {
  const ends = soon(60_000);
  const begun = async (throttle: { per_minute: number } | null, expires_at: string) => {
    const id = await stage.create({
      audience: { recipients: addresses('alpha', 5) },
      schedule: { expires_at },
      throttle,
    });
    await stage.step(id);
    return (await stage.get(id)).eta;
  };
  expect(await begun({ per_minute: 1 }, ends)).toBe(ends);
  expect(Date.parse((await begun({ per_minute: 5 }, soon(3_600_000))) ?? '')).toBeLessThan(
    Date.now() + 61_000,
  );
  expect(await begun(null, ends)).toBeNull();
});

it('the progress is the share of recipients that are not pending, however many there are', async () => {
  const id = await stage.create({ audience: { recipients: addresses('alpha', 3) } });
  await stage.step(id);
  const progress = async (pending: number) => {
    await stage.pool.query(
      `UPDATE broadcasts SET counts = counts || jsonb_build_object('total', 1000000, 'pending', $2::int) WHERE id = $1`,
      [id, pending],
    );
    return (await stage.get(id)).progress;
  };
  expect(await progress(1)).toBe(0.999999);
  expect(await progress(333_333)).toBe(0.666667);
});
