import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewContact } from '../../../src/core/users/ports.js';
import { PostgresUsers } from '../../../src/store/people/users.js';
import { eventsOf, makeWorld, values, type World } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let world: World;
let users: PostgresUsers;

beforeAll(async () => {
  database = await testDatabase();
  world = await makeWorld(database.pool);
  users = new PostgresUsers(database.pool);
});

afterAll(() => database.drop());

function contact(fields: Partial<NewContact> = {}): NewContact {
  return {
    id: uuidv7(),
    workspace_id: world.workspaceId,
    display_name: 'Ann',
    email: '',
    identities: [],
    channel_priority: [],
    consent: {},
    metadata: {},
    ...fields,
  };
}

const arrive = (externalId: string, handle: string | null = null, name: string | null = null) =>
  values<string>(database.pool, 'SELECT (find_or_create_contact($1, $2, $3, $4, $5, NULL)).id', [
    world.workspaceId,
    'telegram',
    externalId,
    handle,
    name,
  ]);

describe('a contact who writes first', () => {
  it('is made once by parallel messages, with a readable unique username', async () => {
    const ids = (await Promise.all(Array.from({ length: 10 }, () => arrive('77', '@Ann', 'Ann B.')))).flat();
    expect(new Set(ids).size).toBe(1);
    const user = await users.find(world.workspaceId, ids[0]!);
    expect(user).toMatchObject({ kind: 'contact', display_name: 'Ann B.', identities: [{ handle: '@Ann' }] });
    expect(user?.username).toMatch(/^telegram_ann_[0-9a-f]{4}$/);
    const created = await eventsOf(database.pool, world.workspaceId, 'user.created');
    expect(created.filter((event) => event.data.id === ids[0])).toHaveLength(1);
    const [orphans] = await values<number>(
      database.pool,
      `SELECT count(*)::int FROM users WHERE display_name = 'Ann B.'`,
    );
    expect(orphans).toBe(1);
  });

  it('follows a new name and handle, and writes one event', async () => {
    const [id] = await arrive('78', '@old', 'Old');
    await arrive('78', '@new', 'New');
    await arrive('78', '@new', 'New');
    expect(await users.find(world.workspaceId, id!)).toMatchObject({
      display_name: 'New',
      identities: [{ handle: '@new' }],
    });
    const updated = await eventsOf(database.pool, world.workspaceId, 'user.updated');
    expect(updated.filter((event) => event.data.id === id)).toHaveLength(1);
  });

  it('has a username even when the name has no usable characters', async () => {
    const [id] = await arrive('79', null, '😀');
    expect((await users.find(world.workspaceId, id!))?.username).toMatch(/^telegram_contact_[0-9a-f]{4}$/);
  });
});

describe('contacts of clients', () => {
  it('have unique usernames and identities, and a conflict names the existing contact', async () => {
    const identity = { platform: 'sms', external_id: '+1' };
    const first = await users.create(contact({ username: 'ann', identities: [identity] }));
    for (const fields of [{ username: 'ann' }, { identities: [identity] }]) {
      await expect(users.create(contact(fields))).rejects.toMatchObject({
        details: { reason: 'already_exists', id: first.id },
      });
    }
    const second = await users.create(contact());
    await expect(users.change(world.workspaceId, second.id, { username: 'ann' })).rejects.toMatchObject({
      details: { reason: 'already_exists', id: first.id },
    });
  });

  it('show their identities in the order given', async () => {
    const given = ['telegram', 'discord', 'sms'];
    const identities = given.map((platform) => ({ platform, external_id: 'order' }));
    const made = await users.create(contact({ identities }));
    expect(made.identities.map(({ platform }) => platform)).toEqual(given);
  });

  it('change by the fields sent; an equal patch changes nothing', async () => {
    const made = await users.create(
      contact({ metadata: { a: 1 }, identities: [{ platform: 'sms', external_id: '+2' }] }),
    );
    const equal = await users.change(world.workspaceId, made.id, {
      display_name: 'Ann',
      metadata: { a: 1 },
      phone: null,
      identities: [{ platform: 'sms', external_id: '+2' }],
      consent: { marketing: 'unknown' },
    });
    expect(equal.updated_at).toBe(made.updated_at);
    const changed = await users.change(world.workspaceId, made.id, {
      metadata: {},
      phone: '+4915112345678',
      identities: [{ platform: 'sms', external_id: '+3', handle: 'x' }],
    });
    expect(changed).toMatchObject({
      metadata: {},
      phone: '+4915112345678',
      identities: [{ external_id: '+3', handle: 'x' }],
    });
    const [told] = (await eventsOf(database.pool, world.workspaceId, 'user.updated')).slice(-1);
    expect(told?.extra?.previous).toMatchObject({ phone: null, metadata: { a: 1 } });
  });

  it('write separate events for blocking and for consent', async () => {
    const { id } = await users.create(contact());
    await users.change(
      world.workspaceId,
      id,
      { status: 'blocked', consent: { marketing: 'denied' } },
      'contact',
    );
    const told = (await eventsOf(database.pool, world.workspaceId)).filter(
      (event) => event.data.id === id || event.data.user_id === id,
    );
    expect(told.map((event) => event.type).toSorted()).toEqual(
      ['user.created', 'user.opted_out', 'user.status_changed', 'user.updated'].toSorted(),
    );
    expect((await users.find(world.workspaceId, id))?.consent).toEqual({
      marketing: 'denied',
      notification: 'unknown',
      tracking: 'unknown',
    });
  });

  it('are not members, and not part of another workspace', async () => {
    await expect(
      users.change(world.workspaceId, world.memberId, { display_name: 'x' }, 'contact'),
    ).rejects.toMatchObject({ details: { reason: 'not_a_contact' } });
    const other = await makeWorld(database.pool);
    expect(await users.find(other.workspaceId, world.memberId)).toBeUndefined();
    await expect(users.change(other.workspaceId, world.memberId, {})).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
