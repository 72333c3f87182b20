import { describe, expect, it } from 'vitest';
import { addresses, type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { eventsOf, values } from '../../support/people.js';

let stage: BroadcastStage;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool, { count: 2, seconds: 86_400 });
  await stage.connection('alpha');
});

async function person(name: string, timezone: string | null): Promise<string> {
  const user = await stage.users.create({
    id: crypto.randomUUID(),
    workspace_id: stage.workspaceId,
    display_name: name,
    timezone,
    identities: [{ platform: 'alpha', external_id: name }],
  } as never);
  return user.id;
}

const dueAt = async (id: string) =>
  Object.fromEntries(
    await values<[string, string]>(
      stage.pool,
      `SELECT jsonb_build_array(address, wire_time(due_at)) FROM broadcast_recipients WHERE broadcast_id = $1`,
      [id],
    ),
  );

describe('a broadcast with local times', () => {
  const HOUR = 3_600_000;
  const at = new Date(Math.ceil(Date.now() / HOUR + 5) * HOUR).toISOString();
  const hours = (n: number) => new Date(Date.parse(at) + n * HOUR).toISOString();

  const scheduled = (users: readonly string[]) =>
    stage.create({ audience: { user_ids: users }, schedule: { at, mode: 'recipient_local' } } as never);
  const jobs = async (id: string) =>
    (
      await values<Date>(
        stage.pool,
        `SELECT coalesce(run_at, now()) FROM outbox WHERE payload->>'broadcast_id' = $1 ORDER BY id`,
        [id],
      )
    ).map((time) => time.getTime());
  /** Makes its next check due and runs it. */
  const lookAgain = async (id: string) => {
    await stage.pool.query(`UPDATE broadcasts SET starts_at = now() - interval '1 ms' WHERE id = $1`, [id]);
    await stage.step(id);
  };

  it('is sent to each recipient when the recipient’s own clock shows the time that UTC shows at `at`', async () => {
    const users = [
      await person('tokyo', 'Asia/Tokyo'),
      await person('phoenix', 'America/Phoenix'),
      await person('nowhere', null),
    ];
    const id = await scheduled(users);
    expect(await stage.get(id)).toMatchObject({ status: 'scheduled', scheduled_at: at });
    expect(await eventsOf(stage.pool, stage.workspaceId, 'broadcast.%')).toMatchObject([
      { type: 'broadcast.scheduled', data: { id, status: 'scheduled', scheduled_at: at } },
    ]);
    await stage.step(id);
    expect(await dueAt(id)).toEqual({ tokyo: hours(-9), nowhere: at, phoenix: hours(7) });
    await stage.step(id, 2);
    expect(await stage.get(id)).toMatchObject({ status: 'sending', counts: { pending: 3 } });
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 1 });
    expect(Math.max(...(await jobs(id)))).toBe(Date.parse(at));
  });

  it('stays scheduled, and open to changes, until the first recipient is due', async () => {
    await person('elsewhere', 'Pacific/Kiritimati');
    const left = await person('left out', 'Pacific/Kiritimati');
    const users = [await person('nowhere', null), await person('phoenix', 'America/Phoenix'), left];
    const id = await stage.create({
      audience: { user_ids: users, exclude: { user_ids: [left], segment_ids: [] } },
      schedule: { at, mode: 'recipient_local' },
    } as never);
    await stage.step(id, 2);
    expect((await stage.get(id)).status).toBe('scheduled');
    await stage.broadcasts.change(stage.workspaceId, id, { name: 'Still mine' } as never);
    await stage.control.move(stage.caller, id, 'start');
    await stage.step(id, 2);
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 2 });
  });

  it('is checked again before its start, so that a recipient whose zone becomes known is not late', async () => {
    const ann = await person('ann', null);
    const id = await scheduled([ann]);
    await stage.step(id);
    expect((await stage.get(id)).status).toBe('scheduled');
    expect(Math.max(...(await jobs(id)))).toBeLessThan(Date.now() + 11 * 60_000);
    await stage.pool.query(`UPDATE users SET timezone = 'Asia/Tokyo' WHERE id = $1`, [ann]);
    await lookAgain(id);
    expect(await dueAt(id)).toEqual({ ann: hours(-9) });
    await stage.step(id);
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 1 });
  });

  it('is sent to all at once when it is started manually', async () => {
    const id = await stage.create({
      audience: {
        user_ids: [await person('tokyo', 'Asia/Tokyo'), await person('phoenix', 'America/Phoenix')],
      },
      schedule: { at, mode: 'recipient_local' },
    });
    await stage.control.move(stage.caller, id, 'start');
    await stage.step(id, 2);
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 2 });
  });
});

describe('the frequency cap', () => {
  const send = async (fields: object = {}) => {
    const id = await stage.create({ audience: { recipients: addresses('alpha', 1) }, ...fields });
    await stage.step(id, 2);
    return stage.get(id);
  };

  it('skips recipients who have had as many recent marketing messages as it allows', async () => {
    for (let n = 0; n < 2; n += 1) expect(await send()).toMatchObject({ counts: { pending: 1 } });
    expect(await send()).toMatchObject({
      status: 'failed',
      counts: { skipped: 1 },
      skip_reasons: { frequency_cap: 1 },
    });
    expect(await send({ category: 'transactional' })).toMatchObject({ counts: { pending: 1 } });
    await stage.pool.query(
      `UPDATE users SET marketed_at = ARRAY[now() - interval '25 hours', now()] WHERE workspace_id = $1`,
      [stage.workspaceId],
    );
    expect(await send()).toMatchObject({ counts: { pending: 1 } });
  });

  it('counts messages that other broadcasts enqueued since the audience was frozen', async () => {
    const ids = [];
    for (let n = 0; n < 3; n += 1) {
      ids.push(await stage.create({ audience: { recipients: addresses('alpha', 1) } }));
      await stage.step(ids[n]!);
    }
    for (const id of ids) await stage.step(id);
    expect(await stage.get(ids[2]!)).toMatchObject({
      status: 'completed',
      counts: { skipped: 1, pending: 0 },
      skip_reasons: { frequency_cap: 1 },
    });
  });
});
