import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Audiences } from '../../../src/core/broadcasts/audience.js';
import { RunBroadcast } from '../../../src/core/broadcasts/run.js';
import { PostgresBroadcastWork } from '../../../src/store/broadcasts/recipients.js';
import { PostgresPresence, PostgresUsers } from '../../../src/store/people/users.js';
import { PostgresSegments } from '../../../src/store/segments/segments.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { eventsOf, makeContact, values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let stage: BridgeStage;
let users: PostgresUsers;
let presence: PostgresPresence;
let sms: string;

beforeAll(async () => {
  database = await testDatabase();
  stage = await bridgeStage(database.pool);
  users = new PostgresUsers(database.pool);
  presence = new PostgresPresence(database.pool);
  sms = await stage.connection('sms');
});

afterAll(() => database.drop());

const write = async (address: string, text: string) => {
  const { message } = await stage.post(sms, address, text, { sender: address, kind: 'direct' });
  if (message === null) throw new Error('Nothing was stored.');
  return message;
};
const contactAt = (address: string) => makeContact(database.pool, stage.workspaceId, address);

describe('a pending message to a contact', () => {
  it('is blocked when the contact is blocked or withdraws the consent for it', async () => {
    const { sender_id: id, conversation_id: conversation } = await write('+4911', 'Hello');
    const chat = await stage.send(conversation, 'Answer');
    const offer = await stage.send(conversation, 'Offer', { category: 'marketing' });
    await users.change(stage.workspaceId, id, { consent: { marketing: 'denied' } });
    expect(await stage.message(offer.id)).toMatchObject({ status: 'blocked', error: { code: 'opted_out' } });
    expect(await stage.message(chat.id)).toMatchObject({ status: 'queued' });
    await users.change(stage.workspaceId, id, { status: 'blocked' });
    expect(await stage.message(chat.id)).toMatchObject({
      status: 'blocked',
      error: { code: 'blocked_by_recipient' },
    });
  });

  it('is canceled when the contact is erased, and no address is left', async () => {
    const address = '+4912345';
    const { sender_id: id, conversation_id: conversation } = await write(address, 'Hello');
    const waiting = await stage.send(conversation, 'Answer');
    await users.delete(stage.workspaceId, id);
    expect(await stage.message(waiting.id)).toMatchObject({ status: 'canceled' });
    for (const table of ['users', 'identities', 'links', 'deliveries', 'messages', 'remote_messages']) {
      const [found] = await values<number>(
        database.pool,
        `SELECT count(*)::int FROM ${table} t WHERE to_jsonb(t)::text LIKE $1`,
        [`%${address}%`],
      );
      expect([table, found]).toEqual([table, 0]);
    }
  });
});

describe('the automatic answer to a keyword', () => {
  const notices = async (conversation: string) =>
    values<string>(
      database.pool,
      `SELECT metadata->>'notice' FROM messages WHERE conversation_id = $1 AND metadata ? 'notice' ORDER BY id`,
      [conversation],
    );

  it('is left to a platform that answers by itself', async () => {
    const event = {
      type: 'message',
      chat: { id: '+4921', kind: 'direct' },
      sender: { id: '+4921', displayName: 'x' },
      content: { text: 'STOP', spans: [], attachments: [] },
      messageId: 'm-1',
      answered: true,
    };
    await stage.report(sms, event);
    const [conversation] = await values<string>(
      database.pool,
      `SELECT conversation_id FROM links WHERE external_id = '+4921'`,
    );
    expect(await notices(conversation as string)).toEqual([]);
    const { conversation_id: other } = await write('+4922', 'stop');
    expect(await notices(other)).toEqual(['opted_out']);
  });

  it('is sent only to the chat of the keyword, and is marked as automatic', async () => {
    const { conversation_id: conversation, sender_id: id } = await write('+4923', 'Hello');
    const telegram = await stage.connection('telegram');
    await stage.link(conversation, telegram, 'elsewhere');
    await write('+4923', 'Unsubscribe');
    expect(await stage.deliveries.claim(telegram, 10)).toMatchObject([{ message: { text: 'Unsubscribe' } }]);
    const tasks = await stage.deliveries.claim(sms, 10);
    const notice = tasks.find(({ link }) => link.external_id === '+4923');
    expect(notice?.message).toMatchObject({ automatic: true, text: expect.stringMatching(/unsubscribed/) });
    expect((await users.find(stage.workspaceId, id))?.consent.marketing).toBe('denied');
  });
});

describe('merging', () => {
  it('while the source writes loses no message and leaves no contact behind', async () => {
    const target = await contactAt('+4931');
    const source = await contactAt('+4932');
    const [merged, ...messages] = await Promise.all([
      users.merge(stage.workspaceId, target, source),
      ...Array.from({ length: 8 }, (_, n) => write('+4932', `Message ${n}`)),
    ]);
    expect(merged.identities.map(({ external_id }) => external_id).sort()).toEqual(['+4931', '+4932']);
    const senders = await Promise.all(messages.map(async ({ id }) => (await stage.message(id)).sender_id));
    expect(new Set(senders)).toEqual(new Set([target]));
  });

  it('moves the segment memberships of the source, and counts a shared one once', async () => {
    const segments = new PostgresSegments(database.pool);
    const [one, other] = [await contactAt('+4933'), await contactAt('+4934')];
    const make = (ids: string[]) =>
      segments.create({ id: uuidv7(), workspace_id: stage.workspaceId, name: 's', user_ids: ids });
    const [both, single] = [await make([one, other]), await make([other])];
    await users.merge(stage.workspaceId, one, other);
    expect(await segments.find(stage.workspaceId, both.id)).toMatchObject({ size: 1 });
    expect(
      await values(database.pool, 'SELECT user_id FROM segment_members WHERE segment_id = $1', [single.id]),
    ).toEqual([one]);
  });

  it('keeps the exclusions of an unstarted broadcast, which writes once to a contact that it lists twice', async () => {
    const [one, other] = [await contactAt('+4937'), await contactAt('+4938')];
    const scheduled = async (audience: object) => {
      const id = uuidv7();
      const text = 'SELECT create_broadcast($1)';
      const made = {
        id,
        workspace_id: stage.workspaceId,
        created_by: stage.memberId,
        text: 'x',
        draft: true,
        audience,
      };
      await database.pool.query(text, [JSON.stringify({ ...made, name: 'b', category: 'transactional' })]);
      await database.pool.query(`UPDATE broadcasts SET status = 'preparing' WHERE id = $1`, [id]);
      return id;
    };
    const without = await scheduled({ user_ids: [one], exclude: { user_ids: [other], segment_ids: [] } });
    const named = await scheduled({ user_ids: [other, one], exclude: { user_ids: [], segment_ids: [] } });
    await users.merge(stage.workspaceId, one, other);
    const run = new RunBroadcast(
      new PostgresBroadcastWork(database.pool),
      new Audiences(new PostgresSegments(database.pool)),
    );
    const recipients = async (broadcast: string) => {
      await run.execute(broadcast);
      const text = 'SELECT user_id FROM broadcast_recipients WHERE broadcast_id = $1';
      return values(database.pool, text, [broadcast]);
    };
    expect(await recipients(without)).toEqual([]);
    expect(await recipients(named)).toEqual([one]);
  });

  it('of two contacts into each other at once succeeds once', async () => {
    const [one, other] = [await contactAt('+4935'), await contactAt('+4936')];
    const results = await Promise.allSettled([
      users.merge(stage.workspaceId, one, other),
      users.merge(stage.workspaceId, other, one),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('deleted segments', () => {
  it('keep their members while a broadcast waits for them', async () => {
    const segments = new PostgresSegments(database.pool);
    const member = await contactAt('+4941');
    const segment = await segments.create({
      id: uuidv7(),
      workspace_id: stage.workspaceId,
      name: 's',
      user_ids: [member],
    });
    const broadcast = uuidv7();
    await database.pool.query('SELECT create_broadcast($1)', [
      JSON.stringify({
        id: broadcast,
        workspace_id: stage.workspaceId,
        created_by: stage.memberId,
        text: 'x',
        draft: true,
        audience: { exclude: { segment_ids: [segment.id] }, user_ids: [member] },
      }),
    ]);
    await segments.delete(stage.workspaceId, segment.id);
    const members = () =>
      values<number>(database.pool, 'SELECT count(*)::int FROM segment_members WHERE segment_id = $1', [
        segment.id,
      ]);
    await segments.purge();
    expect(await members()).toEqual([1]);
    await database.pool.query(`UPDATE broadcasts SET status = 'canceled' WHERE id = $1`, [broadcast]);
    await segments.purge();
    expect(await members()).toEqual([0]);
    expect(await values(database.pool, 'SELECT id FROM segments WHERE id = $1', [segment.id])).toEqual([]);
  });
});

describe('presence', () => {
  const seen = async () => (await users.find(stage.workspaceId, stage.memberId))?.presence;
  const forget = () =>
    database.pool.query(`UPDATE users SET last_seen_at = now() - interval '61 seconds' WHERE id = $1`, [
      stage.memberId,
    ]);

  it('follows heartbeats, unless it was chosen', async () => {
    await presence.beat([stage.memberId]);
    await presence.beat([stage.memberId]);
    await presence.expire();
    expect(await seen()).toBe('online');
    await forget();
    await presence.expire();
    expect(await seen()).toBe('offline');
    const told = await eventsOf(database.pool, stage.workspaceId, 'user.presence_changed');
    expect(told.map(({ data, extra }) => [data.presence, (extra?.previous as object) ?? null])).toEqual([
      ['online', { presence: 'offline' }],
      ['offline', { presence: 'online' }],
    ]);
    await users.change(stage.workspaceId, stage.memberId, { presence: 'away' });
    await forget();
    await presence.expire();
    await presence.beat([stage.memberId]);
    expect(await seen()).toBe('away');
  });

  it.each(['online', 'offline'] as const)(
    'that is already %s can be chosen, which changes nothing else',
    async (chosen) => {
      const { workspaceId, memberId } = await bridgeStage(database.pool);
      const shown = () => users.find(workspaceId, memberId);
      if (chosen === 'online') await presence.beat([memberId]);
      const before = await shown();
      expect(before?.presence).toBe(chosen);
      expect(await users.change(workspaceId, memberId, { presence: chosen })).toEqual(before);
      await database.pool.query(
        `UPDATE users SET last_seen_at = now() - interval '61 seconds' WHERE id = $1`,
        [memberId],
      );
      await presence.expire();
      await presence.beat([memberId]);
      expect((await shown())?.presence).toBe(chosen);
    },
  );
});
