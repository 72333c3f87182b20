import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresLocations, PostgresTracking } from '../../../src/store/extras/locations.js';
import { eventsOf, makeContact, makeWorld, values, type World } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let world: World;
let locations: PostgresLocations;
let tracking: PostgresTracking;
let address = 0;

const contact = () => makeContact(database.pool, world.workspaceId, `+4915100000${++address}`);
const start = (userId: string, by = world.memberId) =>
  tracking.start({
    id: uuidv7(),
    workspace_id: world.workspaceId,
    user_id: userId,
    started_by: by,
    purpose: null,
    interval_seconds: 15,
    duration_seconds: 3_600,
    share_with: [],
    metadata: {},
  });
const record = (userId: string, more: object = {}) =>
  locations.record({
    workspace_id: world.workspaceId,
    user_id: userId,
    batch: false,
    points: [{ latitude: 1, longitude: 2, source: 'manual', ...more }],
  });
const pass = (id: string) =>
  database.pool.query(
    `UPDATE tracking_sessions SET expires_at = now() - interval '1 ms', created_at = now() - interval '25 hours' WHERE id = $1`,
    [id],
  );
const find = (id: string) => tracking.find(world.workspaceId, id);

beforeAll(async () => {
  database = await testDatabase();
  world = await makeWorld(database.pool);
  locations = new PostgresLocations(database.pool);
  tracking = new PostgresTracking(database.pool);
});
afterAll(() => database.drop());

describe('an expired tracking session', () => {
  it('expires by its job, whether it was answered or not', async () => {
    const pending = await start(await contact());
    const active = await start(world.memberId);
    const lapse = Date.parse(pending.expires_at) - Date.parse(pending.created_at);
    expect(lapse).toBe(24 * 3_600_000);
    for (const { id } of [pending, active]) {
      await tracking.expire(id);
      expect((await find(id))?.status).not.toBe('expired');
      await pass(id);
      await tracking.expire(id);
      expect(await find(id)).toMatchObject({ status: 'expired', end_reason: 'expired' });
      await tracking.expire(id);
    }
    const told = await eventsOf(database.pool, world.workspaceId, 'tracking.expired');
    expect(told.map(({ data, extra }) => [data.id, extra?.previous])).toEqual([
      [pending.id, expect.objectContaining({ status: 'pending' })],
      [active.id, expect.objectContaining({ status: 'active' })],
    ]);
  });

  it('has a job in the outbox at its time', async () => {
    const { id, expires_at: at } = await start(await contact());
    const [reminder] = await values<Date>(
      database.pool,
      `SELECT run_at FROM outbox WHERE topic = 'timer' AND payload->>'tracking_session_id' = $1`,
      [id],
    );
    expect(reminder?.toISOString()).toBe(at);
  });

  it('is found by the sweep when the job is lost', async () => {
    const { id } = await start(await contact());
    await pass(id);
    await locations.sweep();
    expect((await find(id))?.status).toBe('expired');
  });

  it('refuses points, answers and stops, and allows the next session, even before the sweep', async () => {
    const userId = await contact();
    const { id } = await start(userId);
    await pass(id);
    const own = { workspace_id: world.workspaceId, id };
    const refusal = { code: 'conflict', details: { reason: 'invalid_state', current: 'expired' } };
    await expect(record(userId, { tracking_session_id: id })).rejects.toMatchObject(refusal);
    await expect(tracking.stop(own)).rejects.toMatchObject(refusal);
    await expect(
      tracking.consent({ ...own, caller_id: world.memberId, granted: true }),
    ).rejects.toMatchObject(refusal);
    expect((await start(userId)).status).toBe('pending');
    expect((await find(id))?.status).toBe('expired');
  });
});

describe('consent to tracking', () => {
  it('of a member can be given only by that member', async () => {
    const other = uuidv7();
    await database.pool.query(
      `INSERT INTO users (id, workspace_id, kind, username, display_name) VALUES ($1, $2, 'member', 'other', 'Other')`,
      [other, world.workspaceId],
    );
    const { id } = await start(other);
    const answer = (caller: string) =>
      tracking.consent({ workspace_id: world.workspaceId, id, caller_id: caller, granted: true });
    await expect(answer(world.memberId)).rejects.toMatchObject({ details: { reason: 'not_a_contact' } });
    expect(await answer(other)).toMatchObject({ status: 'active', consent: { method: 'self' } });
  });

  it('ends when the user is deleted, and no location of the user is kept', async () => {
    const userId = await contact();
    const { id } = await start(userId);
    await record(userId);
    await database.pool.query('UPDATE users SET deleted_at = now() WHERE id = $1', [userId]);
    expect((await find(id))?.status).toBe('denied');
    expect(await values(database.pool, 'SELECT id FROM locations WHERE user_id = $1', [userId])).toEqual([]);
  });
});

describe('points of tracking', () => {
  it('are kept 30 days', async () => {
    const userId = await contact();
    await record(userId);
    await record(userId);
    await database.pool.query(
      `UPDATE locations SET created_at = now() - interval '31 days'
       WHERE id = (SELECT id FROM locations WHERE user_id = $1 LIMIT 1)`,
      [userId],
    );
    await locations.sweep();
    expect(await values(database.pool, 'SELECT id FROM locations WHERE user_id = $1', [userId])).toHaveLength(
      1,
    );
  });

  it('that were recorded last are announced by the sweep when their job is lost', async () => {
    const userId = await contact();
    await record(userId, { accuracy: 1 });
    await record(userId, { accuracy: 2 });
    await locations.announceWaiting(userId);
    const told = async () =>
      (await eventsOf(database.pool, world.workspaceId, 'location.updated'))
        .filter(({ data }) => data.user_id === userId)
        .map(({ data }) => data.accuracy);
    expect(await told()).toEqual([1]);
    await database.pool.query(
      `UPDATE location_feeds SET announced_at = now() - interval '7 s' WHERE user_id = $1`,
      [userId],
    );
    await locations.sweep();
    await locations.sweep();
    expect(await told()).toEqual([1, 2]);
  });
});
