import { v7 as uuid7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeContact, makeWorld, type World } from '../../support/people.js';
import type { TestDatabase } from '../../support/postgres.js';
import { type BrowserSubscription, type PushService, vapidClaims } from '../../support/push-service.js';
import { PushStage } from '../../support/push-stage.js';

let stage: PushStage;
let database: TestDatabase;
let service: PushService;
let store: PushStage['store'];
let keys: PushStage['keys'];
let log: PushStage['log'];
let world: World;
let contact: string;

const run = () => stage.run(world.workspaceId);
const subscribed = (member = world.memberId) => stage.subscribed(world.workspaceId, member);
const waiting = async () =>
  (
    await database.pool.query(
      `SELECT tries, round(extract(epoch FROM due_at - now()))::int AS "inSeconds"
       FROM push_deliveries WHERE workspace_id = $1`,
      [world.workspaceId],
    )
  ).rows;
const makeDue = () =>
  database.pool.query(
    `UPDATE push_deliveries SET due_at = now() - interval '1 ms', leased_until = NULL WHERE workspace_id = $1`,
    [world.workspaceId],
  );

beforeAll(async () => {
  stage = await PushStage.open();
  ({ database, service, store, keys, log } = stage);
});
beforeEach(async () => {
  world = await makeWorld(database.pool);
  await database.pool.query(`UPDATE users SET role = 'member' WHERE id = $1`, [world.memberId]);
  contact = await makeContact(database.pool, world.workspaceId, '+15550001');
  await database.pool.query(`UPDATE users SET display_name = 'Ada' WHERE id = $1`, [contact]);
});
afterAll(() => stage?.close());

async function openConversation(assignee: string | null = null): Promise<string> {
  const id = uuid7();
  await database.pool.query(
    `INSERT INTO conversations (id, workspace_id, number, type, assignee_id, created_by)
     SELECT $1, $2, coalesce(max(number), 0) + 1, 'direct', $3, $4 FROM conversations WHERE workspace_id = $2`,
    [id, world.workspaceId, assignee, world.memberId],
  );
  return id;
}

async function write(conversation: string, text = 'Hello', direction = 'inbound'): Promise<string> {
  const id = uuid7();
  await database.pool.query(
    `INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status)
     SELECT $1, workspace_id, id, number, $3, $4, $5, 'received' FROM conversations WHERE id = $2`,
    [id, conversation, contact, text, direction],
  );
  return id;
}

describe('the push of a message', () => {
  it('contains name, beginning and conversation, encrypted for the browser and signed with the key of the installation', async () => {
    const browser = await subscribed();
    const conversation = await openConversation();
    const id = await write(conversation, 'x'.repeat(200));
    await run();
    const [push, ...more] = service.of(browser);
    expect(more).toEqual([]);
    expect(push?.payload).toEqual({
      tag: conversation,
      id,
      title: 'Ada',
      body: 'x'.repeat(140),
      path: '/dashboard/inbox/1',
    });
    const { headers } = push!;
    expect(headers).toMatchObject({ ttl: '14400', topic: conversation.replaceAll('-', '') });
    const { key, claims } = vapidClaims(headers.authorization);
    expect([key, claims.sub]).toEqual([(await keys.key()).publicKey, 'https://desk.example']);
    expect(await waiting()).toEqual([]);
  });

  it('contains the text of a Markdown message without its markup', async () => {
    const browser = await subscribed();
    const conversation = await openConversation();
    const id = await write(
      conversation,
      `**Your order** is [here](https://shop.example/${'x'.repeat(200)}).`,
    );
    await database.pool.query(`UPDATE messages SET content_type = 'markdown' WHERE id = $1`, [id]);
    await write(await openConversation(), '2 ** 3 ** 4');
    await run();
    const bodies = service.of(browser).map(({ payload }) => payload.body);
    expect(bodies.sort()).toEqual(['2 ** 3 ** 4', 'Your order is here.']);
  });

  it('is sent only for a message from a contact, to the assignee or to all members if there is none', async () => {
    const other = uuid7();
    await database.pool.query(
      `INSERT INTO users (id, workspace_id, kind, role, username, display_name)
       VALUES ($1, $2, 'member', 'viewer', 'other', 'Other')`,
      [other, world.workspaceId],
    );
    const [mine, theirs] = [await subscribed(), await subscribed(other)];
    await write(await openConversation(world.memberId), 'For me');
    await write(await openConversation(other), 'For the other');
    await write(await openConversation(), 'For all');
    await write(await openConversation(), 'A note', 'internal');
    await write(await openConversation(), 'An answer', 'outbound');
    await run();
    const texts = (browser: BrowserSubscription) =>
      service
        .of(browser)
        .map(({ payload }) => payload.body)
        .sort();
    expect([texts(mine), texts(theirs)]).toEqual([
      ['For all', 'For me'],
      ['For all', 'For the other'],
    ]);
  });

  it('follows the choices of the member, even when they change before it is sent', async () => {
    const browser = await subscribed();
    const choose = (patch: object) => store.change(world.workspaceId, world.memberId, patch);
    const [mine, nobodys] = [await openConversation(world.memberId), await openConversation()];
    await choose({ push_unassigned: false, push_shows_text: false });
    await write(nobodys);
    await write(mine, 'Secret');
    await run();
    expect(service.of(browser).map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ tag: mine, title: 'Ada', body: null }),
    ]);
    await write(mine);
    await choose({ push_mine: false });
    await run();
    expect(service.of(browser)).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  it('is sent once for all messages of a conversation that were not pushed yet, with the newest', async () => {
    const browser = await subscribed();
    const conversation = await openConversation();
    for (const text of ['One', 'Two', 'Three']) await write(conversation, text);
    await run();
    expect(service.of(browser).map(({ payload }) => payload.body)).toEqual(['Three']);
  });

  it.each([
    ['the session was signed out', 'DELETE FROM sessions WHERE id = $1'],
    ['the session has expired', `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE id = $1`],
    [
      'the session was not used for 8 hours',
      `UPDATE sessions SET last_seen_at = now() - interval '9 h' WHERE id = $1`,
    ],
    [
      'the member is suspended',
      `UPDATE users SET status = 'suspended' WHERE id = (SELECT user_id FROM sessions WHERE id = $1)`,
    ],
    [
      'the member sees only the conversations of their teams',
      `UPDATE users SET own_teams_only = true WHERE id = (SELECT user_id FROM sessions WHERE id = $1)`,
    ],
    [
      'the member has the conversation open',
      `INSERT INTO conversation_viewers SELECT workspace_id, conversation_id, (SELECT user_id FROM sessions WHERE id = $1),
         now() + interval '1 hour' FROM push_deliveries WHERE session_id = $1`,
    ],
    [
      'the message was deleted',
      `UPDATE messages SET deleted_at = now() WHERE id IN (SELECT message_id FROM push_deliveries WHERE session_id = $1)`,
    ],
    [
      'the conversation went to another member',
      `UPDATE conversations SET assignee_id = (SELECT id FROM users WHERE kind = 'contact' LIMIT 1)
       WHERE id IN (SELECT conversation_id FROM push_deliveries WHERE session_id = $1)`,
    ],
    [
      'the message is more than an hour old',
      `UPDATE push_deliveries SET created_at = now() - interval '61 min' WHERE session_id = $1`,
    ],
  ])('is not sent once %s', async (_, change) => {
    const browser = await subscribed();
    await write(await openConversation());
    expect(await waiting()).toHaveLength(1);
    await database.pool.query(change, [browser.session]);
    await run();
    expect(service.of(browser)).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it.each([404, 410])('that is answered with %d ends the subscription', async (status) => {
    const browser = await subscribed();
    const conversation = await openConversation();
    await write(conversation);
    service.answers.push({ status });
    await run();
    expect(await store.subscription(world.workspaceId, browser.session)).toBeUndefined();
    await write(conversation);
    expect(await waiting()).toEqual([]);
    expect(log.lines.at(-1)).toMatchObject({ event: 'push.subscription_gone' });
  });

  it.each([
    [429, '90', 90],
    [503, '', 5],
  ])('that is answered with %d and Retry-After %j is tried again', async (status, header, wait) => {
    const browser = await subscribed();
    const conversation = await openConversation();
    await write(conversation, 'First');
    service.answers.push({ status, headers: { 'retry-after': header } });
    await run();
    const [postponed] = await waiting();
    expect(postponed?.tries).toBe(1);
    expect(postponed?.inSeconds).toBeGreaterThan(wait - 30);
    expect(postponed?.inSeconds).toBeLessThanOrEqual(wait);
    // A newer message waits for the same time.
    await write(conversation, 'Second');
    if (wait > 60) {
      await run();
      expect(service.of(browser)).toHaveLength(1);
    }
    await makeDue();
    await run();
    expect(service.of(browser).map(({ payload }) => payload.body)).toEqual(['First', 'Second']);
    expect(await waiting()).toEqual([]);
  });

  it('is given up after six tries, when it must wait more than an hour, and when it is refused', async () => {
    await subscribed();
    const conversation = await openConversation();
    await write(conversation);
    for (let tries = 1; tries <= 6; tries += 1) {
      service.answers.push({ status: 500 });
      expect(await waiting()).toHaveLength(1);
      await makeDue();
      await run();
    }
    expect(await waiting()).toEqual([]);
    for (const answer of [{ status: 429, headers: { 'retry-after': '7200' } }, { status: 403 }]) {
      await write(conversation);
      service.answers.push(answer);
      await run();
      expect(await waiting()).toEqual([]);
      expect(log.lines.at(-1)).toMatchObject({ event: 'push.refused' });
    }
    expect(JSON.stringify(log.lines)).not.toContain('/push/');
  });

  it('of a worker that died is sent by another one', async () => {
    const browser = await subscribed();
    await write(await openConversation());
    const { pushes: taken } = await store.claim(world.workspaceId, 20, 60);
    expect(taken).toHaveLength(1);
    await run();
    expect(service.of(browser)).toEqual([]);
    await database.pool.query('DELETE FROM outbox');
    await database.pool.query(
      `UPDATE push_deliveries SET leased_until = now() - interval '1 ms', due_at = now() - interval '1 min' WHERE workspace_id = $1`,
      [world.workspaceId],
    );
    await store.sweep();
    const { rows } = await database.pool.query('SELECT topic, payload FROM outbox');
    expect(rows).toContainEqual({ topic: 'timer', payload: { push_workspace_id: world.workspaceId } });
    await run();
    expect(service.of(browser)).toHaveLength(1);
  });

  it('that was sent while a newer message arrived leaves the newer one to be sent', async () => {
    const browser = await subscribed();
    const conversation = await openConversation();
    await write(conversation, 'Older');
    const { pushes: taken } = await store.claim(world.workspaceId, 20, 60);
    await write(conversation, 'Newer');
    await store.end(taken[0]!);
    await run();
    expect(service.of(browser).map(({ payload }) => payload.body)).toEqual(['Newer']);
  });

  it('that failed while a newer message arrived leaves the newer one as it is', async () => {
    const browser = await subscribed();
    const conversation = await openConversation();
    await write(conversation, 'Older');
    const { pushes: taken } = await store.claim(world.workspaceId, 20, 60);
    await write(conversation, 'Newer');
    const { pushes: newer } = await store.claim(world.workspaceId, 20, 60);
    expect(newer.map(({ text }) => text)).toEqual(['Newer']);
    await database.pool.query('DELETE FROM outbox');
    await store.postpone(taken[0]!, 600);
    const { rows } = await database.pool.query(
      `SELECT tries, due_at <= now() AS due, leased_until > now() AS leased FROM push_deliveries
       WHERE workspace_id = $1`,
      [world.workspaceId],
    );
    expect(rows).toEqual([{ tries: 0, due: true, leased: true }]);
    expect((await database.pool.query('SELECT payload FROM outbox')).rows).toEqual([]);
    await run();
    expect(service.of(browser)).toEqual([]);
  });
});

describe('a browser', () => {
  it('receives only the pushes of its newest session', async () => {
    const browser = await subscribed();
    const again = await subscribed();
    const owner = { session_id: again.session, workspace_id: world.workspaceId, user_id: world.memberId };
    await store.subscribe({ ...owner, endpoint: browser.endpoint, ...browser.keys });
    await write(await openConversation());
    await run();
    expect([service.of(browser).length, service.of(again).length]).toEqual([1, 0]);
  });
});

describe('the key of the installation', () => {
  it('is created once when several requests ask for it at once, and is stored sealed', async () => {
    await database.pool.query('DELETE FROM push_keys');
    const found = await Promise.all([keys.key(), keys.key(), keys.key()]);
    expect(new Set(found.map(({ publicKey }) => publicKey)).size).toBe(1);
    expect(new Set(found.map(({ privateKey }) => privateKey)).size).toBe(1);
    const { rows } = await database.pool.query<{ secret: Buffer }>('SELECT secret FROM push_keys');
    expect(rows).toHaveLength(1);
    expect(rows[0]?.secret.includes('PRIVATE')).toBe(false);
  });
});
