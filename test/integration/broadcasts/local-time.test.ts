import { describe, expect, it } from 'vitest';
import { addresses, type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { eventsOf, values } from '../../support/people.js';

let stage: BroadcastStage;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  await stage.connection('alpha');
});

const HOUR = 3_600_000;
/** Zones without daylight saving time, fourteen hours ahead of UTC, nine, and eleven behind it. */
const AHEAD = 'Pacific/Kiritimati';
const TOKYO = 'Asia/Tokyo';
const BEHIND = 'Pacific/Pago_Pago';
const OFFSETS: Record<string, number> = { [AHEAD]: 14, [TOKYO]: 9, [BEHIND]: -11 };

/** The UTC date and time in this many hours. */
const shown = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString().slice(0, 16);
/** The instant of a local time in a zone. */
const instant = (local: string, zone?: string) =>
  new Date(Date.parse(`${local}Z`) - (zone === undefined ? 0 : OFFSETS[zone]! * HOUR)).toISOString();

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

const scheduleAt = (local_time: string, more: object = {}) => ({
  at: null,
  local_time,
  mode: 'recipient_local',
  quiet_hours: null,
  expires_at: null,
  ...more,
});
const create = (users: readonly string[], local_time: string, more: object = {}) =>
  stage.create({ audience: { user_ids: users }, schedule: scheduleAt(local_time), ...more } as never);
const dueAt = async (id: string) =>
  Object.fromEntries(
    await values<[string, string]>(
      stage.pool,
      `SELECT jsonb_build_array(address, wire_time(due_at)) FROM broadcast_recipients WHERE broadcast_id = $1`,
      [id],
    ),
  );
/** Makes its next check due and runs it. */
const lookAgain = async (id: string) => {
  await stage.pool.query(`UPDATE broadcasts SET starts_at = now() - interval '1 ms' WHERE id = $1`, [id]);
  await stage.step(id);
};

describe('a broadcast at a local time', () => {
  it('is scheduled for the first zone of its audience, even when the time is past in UTC', async () => {
    await person('elsewhere', AHEAD);
    const left = await person('left out', TOKYO);
    const local = shown(-4);
    const users = [await person('behind', BEHIND), left];
    const id = await stage.create({
      audience: { user_ids: users, exclude: { user_ids: [left], segment_ids: [] } },
      schedule: scheduleAt(local),
    } as never);
    const due = { status: 'scheduled', scheduled_at: instant(local, BEHIND) };
    expect(await stage.get(id)).toMatchObject({ ...due, schedule: scheduleAt(local) });
    await stage.step(id, 2);
    expect(await stage.get(id)).toMatchObject(due);
    expect(await eventsOf(stage.pool, stage.workspaceId, 'broadcast.%')).toMatchObject([
      { type: 'broadcast.scheduled', data: { id, ...due } },
    ]);
  });

  it('is sent at once to zones where the time is past, and later to the others', async () => {
    const local = shown(-1);
    const users = [
      await person('ahead', AHEAD),
      await person('nowhere', null),
      await person('behind', BEHIND),
    ];
    const id = await create(users, local);
    expect(await stage.get(id)).toMatchObject({ status: 'preparing', scheduled_at: instant(local, AHEAD) });
    await stage.step(id);
    expect(await dueAt(id)).toEqual({
      ahead: instant(local, AHEAD),
      nowhere: instant(local),
      behind: instant(local, BEHIND),
    });
    await stage.step(id);
    expect(await stage.get(id)).toMatchObject({ status: 'sending', counts: { pending: 3 } });
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 2 });
  });

  it('counts contacts without a zone, and unknown addresses, as UTC', async () => {
    const local = shown(3);
    const behind = await person('behind', BEHIND);
    const withNobody = await create([behind, await person('nowhere', null)], local);
    expect(await stage.get(withNobody)).toMatchObject({ status: 'scheduled', scheduled_at: instant(local) });
    const id = await stage.create({
      audience: { user_ids: [behind], recipients: addresses('alpha', 1) },
      schedule: scheduleAt(local),
    } as never);
    expect(await stage.get(id)).toMatchObject({ status: 'scheduled', scheduled_at: instant(local) });
    const known = `SELECT count(*)::int FROM identities WHERE workspace_id = $1`;
    expect(await values<number>(stage.pool, known, [stage.workspaceId])).toEqual([2]);
  });

  it('is refused when the time is past in every zone of its audience, and stores nothing', async () => {
    const tokyo = await person('tokyo', TOKYO);
    await person('elsewhere', BEHIND);
    await expect(create([tokyo], shown(8))).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: [{ field: 'schedule.local_time', code: 'too_small' }] },
    });
    await expect(create([tokyo], shown(8), { draft: true })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(
      await values(stage.pool, 'SELECT id FROM broadcasts WHERE workspace_id = $1', [stage.workspaceId]),
    ).toEqual([]);
    expect((await stage.get(await create([tokyo], shown(10)))).status).toBe('scheduled');
  });

  it('is refused when it would expire before its first zone', async () => {
    const users = [await person('tokyo', TOKYO), await person('behind', BEHIND)];
    const local = shown(20);
    const expiring = (expires_at: string) =>
      stage.create({ audience: { user_ids: users }, schedule: scheduleAt(local, { expires_at }) } as never);
    await expect(expiring(instant(local, TOKYO))).rejects.toMatchObject({
      details: { fields: [{ field: 'schedule.expires_at', code: 'too_small' }] },
    });
    const id = await expiring(instant(local));
    expect(await stage.get(id)).toMatchObject({ status: 'scheduled', scheduled_at: instant(local, TOKYO) });
  });

  it('uses standard time for a time that its zone skips or has twice', async () => {
    const users = [await person('new york', 'America/New_York')];
    expect((await stage.get(await create(users, '2035-03-11T02:30'))).scheduled_at).toBe(
      '2035-03-11T07:30:00.000Z',
    );
    expect((await stage.get(await create(users, '2035-11-04T01:30'))).scheduled_at).toBe(
      '2035-11-04T06:30:00.000Z',
    );
  });

  it('is corrected when the zone of a contact becomes known', async () => {
    const ann = await person('ann', null);
    const local = shown(12);
    const id = await create([ann], local);
    await stage.pool.query(`UPDATE users SET timezone = $2 WHERE id = $1`, [ann, TOKYO]);
    await lookAgain(id);
    expect(await stage.get(id)).toMatchObject({ status: 'scheduled', scheduled_at: instant(local, TOKYO) });
    expect(await eventsOf(stage.pool, stage.workspaceId, 'broadcast.%')).toMatchObject([
      { data: { scheduled_at: instant(local) } },
      {
        data: { scheduled_at: instant(local, TOKYO) },
        extra: { previous: { scheduled_at: instant(local) } },
      },
    ]);
    await stage.pool.query(`UPDATE users SET timezone = $2 WHERE id = $1`, [ann, AHEAD]);
    await lookAgain(id);
    await stage.step(id);
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 1 });
  });

  it('with a filter waits for the zones of the found contacts', async () => {
    await person('ahead', AHEAD);
    await person('behind', BEHIND);
    const local = shown(-1);
    const filtered = (filter: string) =>
      stage.create({ audience: { filter }, schedule: scheduleAt(local) } as never);
    const later = await filtered('display_name:behind');
    await stage.step(later, 2);
    expect(await stage.get(later)).toMatchObject({
      status: 'scheduled',
      scheduled_at: instant(local, BEHIND),
    });
    const atOnce = await filtered('kind:contact');
    await stage.step(atOnce, 2);
    expect(await stage.deliveriesOf(atOnce)).toEqual({ queued: 1 });
  });

  it('follows a change of its time and of its audience, and stays unchanged for equal values', async () => {
    const [tokyo, behind] = [await person('tokyo', TOKYO), await person('behind', BEHIND)];
    const local = shown(20);
    const id = await create([behind], local);
    const change = (fields: object) => stage.broadcasts.change(stage.workspaceId, id, fields as never);
    const was = await stage.get(id);
    expect(await change({ schedule: scheduleAt(local), name: was.name })).toEqual(was);
    expect(await change({ audience: { user_ids: [tokyo, behind] } })).toMatchObject({
      status: 'scheduled',
      scheduled_at: instant(local, TOKYO),
    });
    const later = shown(30);
    expect(await change({ schedule: scheduleAt(later) })).toMatchObject({
      scheduled_at: instant(later, TOKYO),
    });
    await expect(change({ schedule: scheduleAt(shown(-12)) })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await change({ schedule: null })).toMatchObject({ status: 'preparing', schedule: null });
    await stage.step(id, 2);
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 2 });
  });

  it('starts from a draft at its time, and sends to all at once when it is started again manually', async () => {
    const local = shown(-4);
    const id = await create([await person('behind', BEHIND)], local, { draft: true });
    const due = { scheduled_at: instant(local, BEHIND) };
    expect(await stage.get(id)).toMatchObject({ status: 'draft', ...due });
    await stage.control.move(stage.caller, id, 'start');
    expect(await stage.get(id)).toMatchObject({ status: 'scheduled', ...due });
    await stage.control.move(stage.caller, id, 'start');
    await stage.step(id, 2);
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 1 });
  });

  it('waits for the end of the quiet hours', async () => {
    const quiet_hours = { days: [], from: shown(-1).slice(11), to: shown(1).slice(11), timezone: 'UTC' };
    const id = await stage.create({
      audience: { user_ids: [await person('ahead', AHEAD), await person('behind', BEHIND)] },
      schedule: scheduleAt(shown(-1), { quiet_hours }),
    } as never);
    await stage.step(id, 2);
    expect(await stage.get(id)).toMatchObject({ status: 'on_hold', counts: { pending: 2 } });
    expect(await stage.deliveriesOf(id)).toEqual({});
  });
});
