import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PostgresCallSockets } from '../../../src/store/calls/call-sockets.js';
import { PostgresCalls } from '../../../src/store/calls/calls.js';
import { eventsOf, makeContact, makeMember, makeWorld, values, type World } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let world: World;
let calls: PostgresCalls;
let sockets: PostgresCallSockets;

beforeAll(async () => {
  database = await testDatabase();
  world = await makeWorld(database.pool);
  calls = new PostgresCalls(database.pool);
  sockets = new PostgresCallSockets(database.pool);
});
afterAll(() => database?.drop());

const scope = () => ({ workspaceId: world.workspaceId });
const member = (name: string) =>
  makeMember(database.pool, world.workspaceId, `${name}_${uuidv7().slice(-8)}`);

async function start(others: readonly string[], more: { ring_timeout?: number } = {}) {
  const call = await calls.create({
    id: uuidv7(),
    workspace_id: world.workspaceId,
    initiator_id: world.memberId,
    type: 'voice',
    ring_timeout: 60,
    max_duration: 3_600,
    metadata: {},
    ...(others.length === 0 ? { conversation: await aloneWith() } : { participant_ids: others }),
    ...more,
  });
  return call.id;
}

async function aloneWith(): Promise<string> {
  const id = uuidv7();
  await database.pool.query(`SELECT create_conversation($1, $2, 'group', NULL, $3, '{}', '{}')`, [
    world.workspaceId,
    id,
    world.memberId,
  ]);
  return id;
}

// A process is present. Calls fail after a minute without one.
beforeEach(() => database.pool.query('UPDATE signaling SET reachable_at = clock_timestamp()'));

const signal = (id: string, user: string, type: string) => calls.signal(scope(), id, user, { type });

/** Moves the beginning of the call back by this many seconds. */
async function pass(id: string, seconds: number): Promise<void> {
  await database.pool.query(
    `WITH moved AS (
       UPDATE call_participants SET socketless_since = socketless_since - make_interval(secs => $2) WHERE call_id = $1)
     UPDATE calls SET started_at = started_at - make_interval(secs => $2), deadline = deadline - make_interval(secs => $2),
       answered_at = answered_at - make_interval(secs => $2), vacant_since = vacant_since - make_interval(secs => $2)
     WHERE id = $1`,
    [id, seconds],
  );
}

/** Simulates simultaneous sweeps of two processes. */
async function sweep(): Promise<void> {
  const due = (await Promise.all([calls.sweep(), calls.sweep()])).flat();
  await Promise.all(due.map((id) => calls.advance(id)));
}

const ended = async (id: string) => {
  const { status, end_reason: reason, ended_by: by, duration } = (await calls.find(scope(), id)) ?? {};
  return { status, reason, by, duration };
};

const told = async (id: string) =>
  (await eventsOf(database.pool, world.workspaceId, 'call.%'))
    .filter(({ data }) => data.id === id)
    .map(({ type }) => type.slice('call.'.length));

const over = (status: string, reason: string, duration: unknown = null) => ({
  status,
  reason,
  by: null,
  duration,
});

describe('an unanswered call', () => {
  it('rings until its timeout, which two processes apply once', async () => {
    const id = await start([await member('ann')], { ring_timeout: 30 });
    await pass(id, 15);
    await sweep();
    expect(await ended(id)).toMatchObject({ status: 'ringing' });
    await pass(id, 16);
    await sweep();
    expect(await ended(id)).toEqual(over('ended', 'no_answer'));
    await sweep();
    expect(await told(id)).toEqual(['created', 'ringing', 'ended']);
  });

  it('fails after 15 s without an invitation, unless its ring timeout ends it earlier', async () => {
    const patient = await start([await makeContact(database.pool, world.workspaceId, '+1', 'fax')]);
    const brief = await start([await makeContact(database.pool, world.workspaceId, '+2', 'fax')], {
      ring_timeout: 10,
    });
    for (const id of [patient, brief]) await pass(id, 16);
    await sweep();
    expect(await ended(patient)).toEqual(over('failed', 'provider_error'));
    expect(await told(patient)).toEqual(['created', 'failed']);
    expect(await ended(brief)).toEqual(over('ended', 'no_answer'));
  });

  it('has a reminder of its next deadline at every change', async () => {
    const ann = await member('ann');
    const id = await start([ann]);
    await signal(id, ann, 'join');
    const times = await values<boolean>(
      database.pool,
      `SELECT o.run_at = c.deadline FROM outbox o JOIN calls c ON c.id = $1
       WHERE o.topic = 'timer' AND o.payload->>'call_id' = $1::text ORDER BY o.id`,
      [id],
    );
    expect(times.at(-1)).toBe(true);
  });
});

describe('an active call', () => {
  async function answered(seated: boolean) {
    const ann = await member('ann');
    const id = await start([ann]);
    const socket = { id: uuidv7(), workspaceId: world.workspaceId, userId: ann, callId: id };
    if (seated) await sockets.open(uuidv7(), socket);
    await signal(id, ann, 'join');
    return { id, ann, socket };
  }

  it('ends at its maximum duration', async () => {
    const { id } = await answered(true);
    await pass(id, 3_600);
    await sweep();
    expect(await ended(id)).toEqual(over('ended', 'max_duration', expect.any(Number)));
  });

  it('removes participants without a socket after 20 s, and ends 30 s after the last one', async () => {
    const { id, ann, socket } = await answered(true);
    await pass(id, 600);
    await sweep();
    expect(await told(id)).not.toContain('participant_left');
    await sockets.close([socket.id]);
    await pass(id, 21);
    await sweep();
    expect((await told(id)).at(-1)).toBe('participant_left');
    expect(await ended(id)).toMatchObject({ status: 'active' });
    await pass(id, 10);
    await sweep();
    expect(await ended(id)).toMatchObject({ status: 'active' });
    await signal(id, ann, 'join');
    await pass(id, 15);
    await sweep();
    expect(await ended(id)).toMatchObject({ status: 'active' });
    await pass(id, 60);
    await sweep();
    expect(await ended(id)).toMatchObject(over('ended', 'connection_lost', expect.any(Number)));
    expect(await told(id)).toEqual([
      'created',
      'ringing',
      'answered',
      'participant_joined',
      'participant_left',
      'participant_joined',
      'participant_left',
      'ended',
    ]);
  });

  it('counts a socket of a participant only if the socket is in no other call', async () => {
    const { id, ann } = await answered(false);
    const since = () =>
      values(
        database.pool,
        'SELECT socketless_since FROM call_participants WHERE call_id = $1 AND user_id = $2',
        [id, ann],
      );
    const open = (callId: string | undefined) =>
      sockets.open(uuidv7(), { id: uuidv7(), workspaceId: world.workspaceId, userId: ann, callId });
    await open(uuidv7());
    expect(await since()).not.toEqual([null]);
    await open(undefined);
    expect(await since()).toEqual([null]);
  });

  it('fails after signaling was unreachable for 60 s, and only once however many processes return', async () => {
    const { id } = await answered(true);
    const fresh = await start([await member('eve')]);
    await pass(id, 70);
    await database.pool.query(`UPDATE signaling SET reachable_at = now() - interval '50 seconds'`);
    await sweep();
    expect(await ended(id)).toMatchObject({ status: 'active' });
    await database.pool.query(`UPDATE signaling SET reachable_at = now() - interval '61 seconds'`);
    await Promise.all([sockets.beat(uuidv7()), sockets.beat(uuidv7()), sweep()]);
    expect(await ended(id)).toMatchObject({ status: 'failed', reason: 'timed_out' });
    expect((await told(id)).filter((type) => type === 'failed')).toHaveLength(1);
    expect(await ended(fresh)).toMatchObject({ status: 'ringing' });
  });
});

describe('the sockets of a process', () => {
  it('are dropped when its heartbeat stops, and are restored when it was only slow', async () => {
    const ann = await member('ann');
    const id = await start([ann]);
    const [slow, well] = [uuidv7(), uuidv7()];
    const socket = { id: uuidv7(), workspaceId: world.workspaceId, userId: ann, callId: undefined };
    await sockets.open(slow, socket);
    await signal(id, ann, 'join');
    await database.pool.query(
      `UPDATE signaling_processes SET seen_at = now() - interval '11 seconds' WHERE id = $1`,
      [slow],
    );
    await sockets.beat(well);
    const [since] = await values<Date | null>(
      database.pool,
      'SELECT socketless_since FROM call_participants WHERE call_id = $1 AND user_id = $2',
      [id, ann],
    );
    expect(since).toBeInstanceOf(Date);
    expect(await sockets.beat(slow)).toBe(true);
    await sockets.open(slow, socket);
    expect(await sockets.beat(slow)).toBe(false);
    expect(await signal(id, world.memberId, 'join')).toBe(true);
  });

  it('can close at the same time, and the loss of the last one is detected', async () => {
    const ann = await member('ann');
    const id = await start([ann]);
    const open = Array.from({ length: 6 }, () => ({
      id: uuidv7(),
      workspaceId: world.workspaceId,
      userId: ann,
      callId: id,
    }));
    for (const socket of open) await sockets.open(uuidv7(), socket);
    await signal(id, ann, 'join');
    await Promise.all(open.map((socket) => sockets.close([socket.id])));
    const [since] = await values<Date | null>(
      database.pool,
      'SELECT socketless_since FROM call_participants WHERE call_id = $1 AND user_id = $2',
      [id, ann],
    );
    expect(since).toBeInstanceOf(Date);
  });
});
