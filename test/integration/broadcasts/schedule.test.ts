import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { addresses, type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { eventsOf, values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase | undefined;
let stage: BroadcastStage;

beforeEach(async () => {
  database ??= await testDatabase();
  stage = await broadcastStage(database.pool, { count: 2, seconds: 86_400 });
  await stage.connection('alpha');
});

afterAll(() => database?.drop());

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

describe('local times', () => {
  const at = `${new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)}T09:00:00.000Z`;
  const hours = (n: number) => new Date(Date.parse(at) + n * 3_600_000).toISOString();

  it('write to everybody when their own clocks show the time that UTC shows at `at`', async () => {
    const users = [
      await person('tokyo', 'Asia/Tokyo'),
      await person('phoenix', 'America/Phoenix'),
      await person('nowhere', null),
    ];
    const id = await stage.create({
      audience: { user_ids: users },
      schedule: { at, mode: 'recipient_local' },
    });
    expect(await stage.get(id)).toMatchObject({ status: 'scheduled', scheduled_at: at });
    expect(await eventsOf(stage.pool, stage.workspaceId, 'broadcast.%')).toMatchObject([
      { type: 'broadcast.scheduled', data: { id, status: 'scheduled', scheduled_at: at } },
    ]);
    const [first] = await values<Date>(
      stage.pool,
      `SELECT min(run_at) FROM outbox WHERE payload->>'broadcast_id' = $1`,
      [id],
    );
    expect(first?.toISOString()).toBe(hours(-9));
    await stage.pool.query(`UPDATE broadcasts SET starts_at = now() - interval '1 ms' WHERE id = $1`, [id]);
    await stage.step(id);
    expect(await dueAt(id)).toEqual({ tokyo: hours(-9), nowhere: at, phoenix: hours(7) });
    // Nobody is due yet.
    expect((await stage.get(id)).status).toBe('preparing');
    await stage.pool.query(
      `UPDATE broadcast_recipients SET due_at = now() - interval '1 ms' WHERE broadcast_id = $1 AND address = 'tokyo'`,
      [id],
    );
    await stage.step(id, 3);
    expect(await stage.get(id)).toMatchObject({ status: 'sending', counts: { pending: 3 } });
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 1 });
    const [upcoming] = await values<Date>(
      stage.pool,
      `SELECT max(run_at) FROM outbox WHERE payload->>'broadcast_id' = $1`,
      [id],
    );
    expect(upcoming?.toISOString()).toBe(at);
  });

  it('do not matter any more when it is started by hand', async () => {
    const id = await stage.create({
      audience: {
        user_ids: [await person('tokyo', 'Asia/Tokyo'), await person('phoenix', 'America/Phoenix')],
      },
      schedule: { at, mode: 'recipient_local' },
    });
    await stage.steer.move(stage.caller, id, 'start');
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

  it('skips who has had as much marketing of late as it allows', async () => {
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

  it('counts what other broadcasts put on the way since the audience was frozen', async () => {
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
