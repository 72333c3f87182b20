import { v7 as uuid7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PostgresCalls } from '../../../src/store/calls/calls.js';
import { makeMember, makeWorld, type World } from '../../support/people.js';
import type { TestDatabase } from '../../support/postgres.js';
import type { PushService } from '../../support/push-service.js';
import { PushStage } from '../../support/push-stage.js';

const RING_SECONDS = 45;

let stage: PushStage;
let database: TestDatabase;
let service: PushService;
let store: PushStage['store'];
let calls: PostgresCalls;
let world: World;
let callee: string;

const run = () => stage.run(world.workspaceId);
const subscribed = (member = callee) => stage.subscribed(world.workspaceId, member);
const waiting = async () =>
  (
    await database.pool.query('SELECT call_id FROM push_deliveries WHERE workspace_id = $1', [
      world.workspaceId,
    ])
  ).rowCount;

beforeAll(async () => {
  stage = await PushStage.open();
  ({ database, service, store } = stage);
  calls = new PostgresCalls(database.pool);
});
beforeEach(async () => {
  world = await makeWorld(database.pool);
  callee = await makeMember(database.pool, world.workspaceId, 'callee');
  await database.pool.query(`UPDATE users SET role = 'member' WHERE id IN ($1, $2)`, [
    world.memberId,
    callee,
  ]);
  await database.pool.query(`UPDATE users SET display_name = 'Grace' WHERE id = $1`, [world.memberId]);
});
afterAll(() => stage?.close());

const ring = (type: 'voice' | 'video' = 'voice') =>
  calls.create({
    id: uuid7(),
    workspace_id: world.workspaceId,
    initiator_id: world.memberId,
    type,
    ring_timeout: RING_SECONDS,
    max_duration: 3_600,
    metadata: {},
    participant_ids: [callee],
  });

const hangUp = (id: string) => calls.end({ workspaceId: world.workspaceId }, id, world.memberId, undefined);

describe('the push of a call', () => {
  it('is sent to the member who was called and not to the caller, and lives as long as the call rings', async () => {
    const [browser, own] = [await subscribed(), await subscribed(world.memberId)];
    const call = await ring('video');
    await run();
    const [push, ...more] = service.of(browser);
    expect([more, service.of(own)]).toEqual([[], []]);
    expect(push?.payload).toEqual({
      tag: call.id,
      id: call.id,
      title: 'Grace',
      body: null,
      path: '/dashboard/inbox/1',
      call: { id: call.id, type: 'video', is_missed: false },
    });
    expect(Number(push?.headers.ttl)).toBeGreaterThan(0);
    expect(Number(push?.headers.ttl)).toBeLessThanOrEqual(RING_SECONDS);
    expect(await waiting()).toBe(0);
  });

  it('is replaced by a missed-call push when the call ends without an answer', async () => {
    const browser = await subscribed();
    const call = await ring();
    await run();
    await hangUp(call.id);
    await run();
    expect(service.of(browser).map(({ payload }) => [payload.tag, payload.id, payload.call])).toEqual([
      [call.id, call.id, { id: call.id, type: 'voice', is_missed: false }],
      [call.id, `${call.id}:missed`, { id: call.id, type: 'voice', is_missed: true }],
    ]);
  });

  it('for a missed call is still sent when the call ends while the ringing push is being sent', async () => {
    const browser = await subscribed();
    const call = await ring();
    const { pushes: taken } = await store.claim(world.workspaceId, 20, 60);
    await hangUp(call.id);
    await store.end(taken[0]!);
    await run();
    expect(service.of(browser).map(({ payload }) => payload.id)).toEqual([`${call.id}:missed`]);
  });

  it('for a missed call is not postponed with the ringing push, but is postponed after its own failure', async () => {
    const browser = await subscribed();
    const call = await ring();
    const { pushes: taken } = await store.claim(world.workspaceId, 20, 60);
    await hangUp(call.id);
    await store.postpone(taken[0]!, 600);
    service.answers.push({ status: 503 });
    await run();
    expect(service.of(browser).map(({ payload }) => payload.id)).toEqual([`${call.id}:missed`]);
    const { rows } = await database.pool.query(
      'SELECT tries, due_at > now() AS later FROM push_deliveries WHERE workspace_id = $1',
      [world.workspaceId],
    );
    expect(rows).toEqual([{ tries: 1, later: true }]);
  });

  it.each([
    ['the member has answered', `UPDATE call_participants SET status = 'joined' WHERE user_id = $1`],
    ['the member may not answer calls', `UPDATE users SET role = 'viewer' WHERE id = $1`],
    ['the member is suspended', `UPDATE users SET status = 'suspended' WHERE id = $1`],
    [
      'the member has left the conversation',
      `UPDATE call_participants SET removed_at = now() WHERE user_id = $1`,
    ],
    ['the member does not see the conversation', 'UPDATE users SET own_teams_only = true WHERE id = $1'],
    [
      'the member chose to get none',
      `INSERT INTO notification_choices (user_id, workspace_id, push_calls) SELECT id, workspace_id, false FROM users
       WHERE id = $1`,
    ],
    ['the session has ended', 'DELETE FROM sessions WHERE user_id = $1'],
  ])('is not sent once %s', async (_, change) => {
    const browser = await subscribed();
    await ring();
    expect(await waiting()).toBe(1);
    await database.pool.query(change, [callee]);
    await run();
    expect([service.of(browser), await waiting()]).toEqual([[], 0]);
  });

  it('is separate from the push of a message of the same conversation', async () => {
    const browser = await subscribed();
    const call = await ring();
    const contact = uuid7();
    await database.pool.query(
      `INSERT INTO users (id, workspace_id, kind, username, display_name) VALUES ($1, $2, 'contact', 'ada', 'Ada')`,
      [contact, world.workspaceId],
    );
    await database.pool.query(
      `INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status)
       SELECT $1, workspace_id, id, number, $3, 'Hello', 'inbound', 'received' FROM conversations WHERE id = $2`,
      [uuid7(), call.conversation_id, contact],
    );
    await run();
    const tags = service.of(browser).map(({ payload }) => payload.tag);
    expect(tags.sort()).toEqual([call.conversation_id, call.id].sort());
  });
});
