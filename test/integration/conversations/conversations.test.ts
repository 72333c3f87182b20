import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewConversation } from '../../../src/core/conversations/ports.js';
import { PostgresConversations } from '../../../src/store/conversations/conversations.js';
import { PostgresLinks } from '../../../src/store/conversations/links.js';
import { PostgresParticipants } from '../../../src/store/conversations/participants.js';
import { Housekeeping } from '../../../src/store/maintenance/housekeeping.js';
import { PostgresMessages } from '../../../src/store/messages/messages.js';
import {
  eventsOf,
  makeConnection,
  makeContact,
  makeMember,
  makeWorld,
  values,
  type World,
} from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let world: World;
let conversations: PostgresConversations;
let links: PostgresLinks;
let participants: PostgresParticipants;
let messages: PostgresMessages;

beforeAll(async () => {
  database = await testDatabase();
  world = await makeWorld(database.pool);
  conversations = new PostgresConversations(database.pool);
  links = new PostgresLinks(database.pool);
  participants = new PostgresParticipants(database.pool);
  messages = new PostgresMessages(database.pool);
});

afterAll(() => database.drop());

function draft(fields: Partial<NewConversation> = {}): NewConversation {
  return {
    id: uuidv7(),
    workspace_id: world.workspaceId,
    creator_id: world.memberId,
    title: null,
    team: null,
    labels: [],
    priority: 'none',
    metadata: {},
    platform: null,
    participant_ids: [],
    ...fields,
  };
}

const scope = () => ({ workspaceId: world.workspaceId });
const link = (externalId: string, fields: object = {}) => ({
  id: uuidv7(),
  connection_id: world.connectionId,
  external_id: externalId,
  direction: 'two_way' as const,
  attribution: 'prefix' as const,
  ...fields,
});
const message = (text: string) => ({ id: uuidv7(), text });

describe('opening a conversation', () => {
  it('numbers conversations without gaps, also in parallel and after refused requests', async () => {
    const other = await makeWorld(database.pool);
    const make = (participantIds: string[]) =>
      conversations.open(
        draft({
          workspace_id: other.workspaceId,
          creator_id: other.memberId,
          type: 'group',
          participant_ids: participantIds,
        }),
      );
    const made = await Promise.allSettled([
      ...Array.from({ length: 12 }, () => make([])),
      ...Array.from({ length: 4 }, () => make([uuidv7()])),
    ]);
    const numbers = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.record.number] : []));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  });

  it('gives roles by the kind of the participants, and announces the conversation with its links', async () => {
    const contact = await makeContact(database.pool, world.workspaceId, '+100');
    const member = await makeMember(database.pool, world.workspaceId, 'colleague');
    const { record } = await conversations.open(
      draft({ participant_ids: [contact, member], links: [link('chat-100')] }),
    );
    expect(record.type).toBe('group');
    const roles = new Map(record.participants.map((one) => [one.user_id, one.role]));
    expect([roles.get(world.memberId), roles.get(member), roles.get(contact)]).toEqual([
      'owner',
      'agent',
      'customer',
    ]);
    const [created] = (await eventsOf(database.pool, world.workspaceId, 'conversation.created')).slice(-1);
    expect(created?.data.links).toHaveLength(1);
  });

  it('returns the same conversation for the same id', async () => {
    const input = draft({ type: 'group' });
    const first = await conversations.open(input);
    const second = await conversations.open(input);
    expect(second.record.number).toBe(first.record.number);
  });

  it('stores nothing when a participant is unknown or belongs to another workspace', async () => {
    const other = await makeWorld(database.pool);
    const input = draft({ type: 'group', participant_ids: [other.memberId] });
    await expect(conversations.open(input)).rejects.toMatchObject({
      code: 'not_found',
      details: { field: 'participant_ids' },
    });
    expect(await conversations.find(scope(), input.id, world.memberId)).toBeUndefined();
  });

  it('creates one direct conversation for parallel requests for one pair', async () => {
    const recipient = { platform: 'sms', address: '+200' };
    const opened = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        conversations.open(draft({ recipient, message: message(`hello ${index}`) })),
      ),
    );
    expect(new Set(opened.map((one) => one.record.id)).size).toBe(1);
    expect(opened.filter((one) => one.created)).toHaveLength(1);
    const sent = await values(database.pool, 'SELECT text FROM messages WHERE conversation_id = $1', [
      opened[0]?.record.id,
    ]);
    expect(sent).toHaveLength(10);
  });

  it('creates one direct conversation of two members who open it from both sides at once', async () => {
    const [one, two] = [
      await makeMember(database.pool, world.workspaceId, 'one'),
      await makeMember(database.pool, world.workspaceId, 'two'),
    ];
    const opened = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        conversations.open(
          draft({ creator_id: index % 2 ? one : two, participant_ids: [index % 2 ? two : one] }),
        ),
      ),
    );
    expect(new Set(opened.map((each) => each.record.id)).size).toBe(1);
  });

  it('links a direct conversation to an address that is not opened on the platform yet', async () => {
    const { record } = await conversations.open(draft({ recipient: { platform: 'sms', address: '+201' } }));
    expect(record).toMatchObject({ type: 'direct', platform: 'sms' });
    const addresses = await values(database.pool, 'SELECT address FROM links WHERE conversation_id = $1', [
      record.id,
    ]);
    expect(addresses).toEqual(['+201']);
  });

  it('picks the requested platform, or else the one used last, and creates no link without a route', async () => {
    await makeConnection(database.pool, world, 'chat');
    const contact = await makeContact(database.pool, world.workspaceId, '+202');
    await database.pool.query(
      `INSERT INTO identities (workspace_id, user_id, platform, external_id, last_used_at)
       VALUES ($1, $2, 'chat', 'c202', now() + interval '1 minute')`,
      [world.workspaceId, contact],
    );
    const byUse = await conversations.open(draft({ participant_ids: [contact] }));
    const asked = await conversations.open(draft({ participant_ids: [contact], platform: 'sms' }));
    expect([byUse.record.platform, asked.record.platform]).toEqual(['chat', 'sms']);
    await expect(
      conversations.open(draft({ participant_ids: [contact], platform: 'fax' })),
    ).rejects.toMatchObject({ code: 'conflict', details: { reason: 'no_connection', platform: 'fax' } });
    const nowhere = await makeContact(database.pool, world.workspaceId, 'x', 'fax');
    const unlinked = await conversations.open(draft({ participant_ids: [nowhere] }));
    expect(unlinked.record.links).toEqual([]);
    const again = await conversations.open(draft({ participant_ids: [nowhere] }));
    expect(again.record.id).toBe(unlinked.record.id);
  });

  it('refuses a chat that is linked already, with the id of its link, and leaves no conversation', async () => {
    const { record } = await conversations.open(draft({ links: [link('taken')] }));
    const input = draft({ links: [link('taken')] });
    await expect(conversations.open(input)).rejects.toMatchObject({
      details: { reason: 'already_exists', id: record.links[0]?.id },
    });
    expect(await conversations.find(scope(), input.id, world.memberId)).toBeUndefined();
  });
});

describe('changing a conversation', () => {
  const open = async (fields: Partial<NewConversation> = {}) =>
    (await conversations.open(draft({ type: 'group', ...fields }))).record;
  const change = (id: string, patch: object) => conversations.change(scope(), id, world.memberId, patch);

  it('allows only the transitions of its states', async () => {
    const { id } = await open();
    expect(await change(id, { status: 'resolved' })).toMatchObject({ closed_at: expect.any(String) });
    await expect(change(id, { status: 'pending' })).rejects.toMatchObject({
      details: { reason: 'invalid_state', current: 'resolved' },
    });
    await change(id, { status: 'archived' });
    expect(await change(id, { status: 'open' })).toMatchObject({ closed_at: null });
  });

  it('writes one event per kind of change with the previous values, and none for an equal patch', async () => {
    const { id, updated_at: before } = await open();
    const equal = await change(id, { title: null, labels: [], priority: 'none', status: 'open' });
    expect(equal.updated_at).toBe(before);
    await change(id, { title: 'New', assignee_id: world.memberId, status: 'pending' });
    const told = (await eventsOf(database.pool, world.workspaceId)).filter((event) => event.data.id === id);
    expect(told.map(({ type, extra }) => [type, extra?.previous])).toEqual([
      ['conversation.created', undefined],
      ['conversation.updated', { title: null }],
      ['conversation.status_changed', { status: 'open' }],
      ['conversation.assigned', { assignee_id: null }],
    ]);
  });

  it('applies exactly one of several equal moves in parallel', async () => {
    const { id } = await open();
    await Promise.all(Array.from({ length: 6 }, () => change(id, { status: 'resolved' })));
    const told = await eventsOf(database.pool, world.workspaceId, 'conversation.status_changed');
    expect(told.filter((event) => event.data.id === id)).toHaveLength(1);
  });

  it('assigns members only', async () => {
    const { id } = await open();
    const contact = await makeContact(database.pool, world.workspaceId, '+300');
    await expect(change(id, { assignee_id: contact })).rejects.toMatchObject({
      code: 'not_found',
      details: { field: 'assignee_id' },
    });
  });

  it('wakes a snoozed conversation when its time has come, and not before', async () => {
    const { id } = await open();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await change(id, { status: 'snoozed', snoozed_until: until })).toMatchObject({
      snoozed_until: until,
    });
    const timers = await values<string>(
      database.pool,
      `SELECT payload->>'conversation_id' FROM outbox WHERE topic = 'timer' AND run_at > now()`,
    );
    expect(timers).toContain(id);
    expect(await conversations.endSnooze(id)).toBe(false);
    await database.pool.query(
      `UPDATE conversations SET snoozed_until = now() - interval '1 ms' WHERE id = $1`,
      [id],
    );
    expect(await conversations.endSnooze(id)).toBe(true);
    expect(await conversations.find(scope(), id, world.memberId)).toMatchObject({
      status: 'open',
      snoozed_until: null,
    });
  });

  it('wakes a snoozed conversation that has no reminder', async () => {
    const { id } = await open();
    const until = '2999-01-01T00:00:00.000Z';
    await change(id, { status: 'snoozed', snoozed_until: until });
    expect(
      await values(database.pool, `SELECT 1 FROM outbox WHERE payload->>'conversation_id' = $1`, [id]),
    ).toEqual([]);
    const housekeeping = new Housekeeping(database.pool);
    await housekeeping.endSnoozes();
    expect(await conversations.find(scope(), id, world.memberId)).toMatchObject({ status: 'snoozed' });
    await database.pool.query(
      `UPDATE conversations SET snoozed_until = now() - interval '1 ms' WHERE id = $1`,
      [id],
    );
    await housekeeping.endSnoozes();
    expect(await conversations.find(scope(), id, world.memberId)).toMatchObject({ status: 'open' });
  });

  it('deletes it with its messages and links, cancels unsent deliveries and frees the chat', async () => {
    const record = await open({ links: [link('gone')], message: message('bye') });
    await conversations.delete(scope(), record.id, world.memberId);
    expect(await conversations.find(scope(), record.id, world.memberId)).toBeUndefined();
    await expect(conversations.delete(scope(), record.id, world.memberId)).rejects.toMatchObject({
      code: 'not_found',
    });
    const [left] = await values<number>(
      database.pool,
      'SELECT count(*)::int FROM messages WHERE conversation_id = $1 AND deleted_at IS NULL',
      [record.id],
    );
    expect(left).toBe(0);
    expect(
      await values(database.pool, 'SELECT status FROM deliveries WHERE conversation_id = $1', [record.id]),
    ).toEqual(['canceled']);
    await open({ links: [link('gone')] });
    const [told] = (await eventsOf(database.pool, world.workspaceId, 'conversation.deleted')).slice(-1);
    expect(told?.data).toEqual({
      id: record.id,
      number: record.number,
      deleted_at: expect.any(String),
      deleted_by: world.memberId,
    });
  });
});

describe('links and participants', () => {
  const open = async (fields: Partial<NewConversation> = {}) =>
    (await conversations.open(draft({ type: 'group', ...fields }))).record;

  it('gives one chat to only one of several links that are added at once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => open()));
    const tried = await Promise.allSettled(made.map(({ id }) => links.add(scope(), id, link('raced'))));
    expect(tried.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  });

  it('allows at most 20 links, even when they are added at once', async () => {
    const { id } = await open();
    const tried = await Promise.allSettled(
      Array.from({ length: 24 }, (_, index) => links.add(scope(), id, link(`many-${index}`))),
    );
    expect(tried.filter((one) => one.status === 'fulfilled')).toHaveLength(20);
    expect(tried.find((one) => one.status === 'rejected')).toMatchObject({
      reason: { details: { reason: 'limit_reached', limit: 20 } },
    });
  });

  it('removing a link cancels its unsent deliveries, and a message that has no others', async () => {
    const { id, links: made } = await open({ links: [link('only')] });
    const sent = await messages.accept({
      ...message('later'),
      workspace_id: world.workspaceId,
      conversation_id: id,
      sender_id: world.memberId,
    });
    expect(sent.status).toBe('queued');
    await links.remove(scope(), id, made[0]!.id);
    expect(await messages.find(scope(), sent.id)).toMatchObject({
      status: 'canceled',
      deliveries: [{ status: 'canceled' }],
    });
    await expect(links.remove(scope(), id, made[0]!.id)).rejects.toMatchObject({ code: 'not_found' });
    const types = (await eventsOf(database.pool, world.workspaceId))
      .filter((event) => event.data.id === id || event.data.conversation_id === id)
      .map((event) => event.type);
    expect(types.slice(-3)).toEqual(['delivery.updated', 'message.updated', 'conversation.link_removed']);
  });

  it('adds, removes and re-adds participants, but not in a direct conversation', async () => {
    const { id } = await open();
    const contact = await makeContact(database.pool, world.workspaceId, '+400');
    expect(await participants.add(scope(), id, { user_id: contact })).toMatchObject({ role: 'customer' });
    await expect(participants.add(scope(), id, { user_id: contact })).rejects.toMatchObject({
      details: { reason: 'already_exists' },
    });
    await participants.remove(scope(), id, contact);
    await expect(participants.remove(scope(), id, contact)).rejects.toMatchObject({ code: 'not_found' });
    expect(await participants.add(scope(), id, { user_id: contact, role: 'agent' })).toMatchObject({
      role: 'agent',
      left_at: null,
    });
    const direct = await conversations.open(draft({ recipient: { platform: 'sms', address: '+401' } }));
    await expect(participants.add(scope(), direct.record.id, { user_id: contact })).rejects.toMatchObject({
      details: { reason: 'invalid_state' },
    });
  });

  it('shows a caller with a user token only conversations in which the user takes part', async () => {
    const { id, number } = await open();
    const stranger = await makeMember(database.pool, world.workspaceId, 'stranger');
    const narrow = { workspaceId: world.workspaceId, participantId: stranger };
    expect(await conversations.find(narrow, id, stranger)).toBeUndefined();
    await expect(conversations.change(narrow, number, stranger, { title: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(links.add(narrow, id, link('hidden'))).rejects.toMatchObject({ code: 'not_found' });
    await participants.add(scope(), id, { user_id: stranger });
    expect(await conversations.find(narrow, number, stranger)).toMatchObject({ id });
  });
});

describe('lists', () => {
  const query = {
    filter: [],
    sort: 'created_at',
    order: 'desc',
    limit: 50,
    at: { mode: 'first' },
    count: true,
  } as const;

  it('filter conversations by platform, label and participant', async () => {
    const contact = await makeContact(database.pool, world.workspaceId, '+500');
    const { record } = await conversations.open(draft({ participant_ids: [contact], labels: ['vip'] }));
    const clause = (field: string, value: string) => ({
      field,
      negated: false,
      values: [{ operator: 'eq' as const, value }],
    });
    const found = await conversations.list(scope(), world.memberId, {
      ...query,
      filter: [
        clause('platform', 'sms'),
        clause('label', 'vip'),
        clause('participant_id', contact.toUpperCase()),
      ],
    });
    expect(found.items.map((item) => item.id)).toEqual([record.id]);
    expect(found.total).toBe(1);
    expect((await links.list(scope(), record.number, query)).items).toHaveLength(1);
    const people = await participants.list(scope(), record.id, { ...query, sort: 'joined_at' });
    expect(people.items).toHaveLength(2);
  });
});
