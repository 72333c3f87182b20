import { hash, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateToken } from '../../../src/core/access/session-token.js';
import { unavailable } from '../../../src/core/common/errors.js';
import { SignInTokens } from '../../../src/core/sessions/sign-in-token.js';
import { OpenSessions, SignIn } from '../../../src/core/sessions/use-cases.js';
import { PostgresMembers } from '../../../src/store/access/members.js';
import { PostgresSessions } from '../../../src/store/access/sessions.js';
import { PostgresSignInTries } from '../../../src/store/access/sign-in-tries.js';
import { Notifications } from '../../../src/store/connection/notifications.js';
import { Housekeeping } from '../../../src/store/maintenance/housekeeping.js';
import { AesSecretBox } from '../../../src/store/secrets/secret-box.js';
import { PostgresWorkspaces } from '../../../src/store/workspaces/workspaces.js';
import { eventually } from '../../support/api-client.js';
import { silentLog } from '../../support/log.js';
import { eventsOf, values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let sessions: PostgresSessions;
let workspaces: PostgresWorkspaces;
let members: PostgresMembers;
let workspaceId: string;
let ownerId: string;
let people = 0;

beforeAll(async () => {
  database = await testDatabase();
  sessions = new PostgresSessions(database.pool);
  workspaces = new PostgresWorkspaces(database.pool);
  members = new PostgresMembers(database.pool);
});
afterAll(() => database.drop());

beforeEach(async () => {
  people += 1;
  workspaceId = await workspaces.create('Test', owner(`owner${people}@example.test`));
  ownerId = (await sessions.accounts(`owner${people}@example.test`, undefined))[0]!.userId;
});

const owner = (email: string) => ({
  email,
  passwordHash: 'hash',
  username: 'owner',
  displayName: 'Owner',
  operator: false,
});

async function open(userId: string, passwordHash = 'hash'): Promise<string> {
  const { token, hash: tokenHash } = generateToken('tl_ss_');
  await sessions.open({ userId, passwordHash }, tokenHash, {
    address: '192.0.2.1',
    userAgent: '',
    token: undefined,
  });
  return token;
}

async function member(role: 'owner' | 'admin' | 'member' = 'member'): Promise<string> {
  people += 1;
  const { hash: tokenHash } = generateToken('tl_in_');
  const { id } = await members.create({
    id: uuidv7(),
    workspace_id: workspaceId,
    created_by: ownerId,
    kind: 'member',
    role,
    email: `member${people}@example.test`,
    username: null,
    suggested: 'member',
    display_name: 'Member',
    token_hash: tokenHash,
  });
  await members.accept({ tokenHash, passwordHash: 'hash', username: `member${people}`, displayName: 'M' });
  return id;
}

const age = (column: string, by: string) =>
  database.pool.query(`UPDATE sessions SET ${column} = now() - $1::interval WHERE user_id = $2`, [
    by,
    ownerId,
  ]);

describe('a session', () => {
  it('is found only by its token, with the current permissions of its user', async () => {
    const token = await open(ownerId);
    expect(await sessions.find(token)).toEqual({
      sessionId: expect.any(String),
      userId: ownerId,
      workspaceId,
      role: 'owner',
      operator: false,
      view: null,
      csrfToken: expect.any(String),
    });
    expect(await sessions.find(`${token}x`)).toBeUndefined();
    const [stored] = await values<Buffer>(
      database.pool,
      'SELECT token_hash FROM sessions WHERE user_id = $1',
      [ownerId],
    );
    expect(stored).toEqual(hash('sha256', token, 'buffer'));
  });

  it('ends after a long idle time, and always after its lifetime', async () => {
    const idle = await open(ownerId);
    await age('last_seen_at', '8 hours 1 second');
    expect(await sessions.find(idle)).toBeUndefined();
    const old = await open(ownerId);
    await age('expires_at', '1 ms');
    expect(await sessions.find(old)).toBeUndefined();
    await new Housekeeping(database.pool).purge();
    expect(await values(database.pool, 'SELECT id FROM sessions WHERE user_id = $1', [ownerId])).toEqual([]);
  });

  it('is kept alive by its use', async () => {
    const token = await open(ownerId);
    await age('last_seen_at', '7 hours');
    await sessions.find(token);
    const [seen] = await values<boolean>(
      database.pool,
      `SELECT last_seen_at > now() - interval '1 minute' FROM sessions WHERE user_id = $1`,
      [ownerId],
    );
    expect(seen).toBe(true);
  });

  it('is removed when its user opens twenty newer ones', async () => {
    const tokens: string[] = [];
    for (let made = 0; made < 21; made += 1) tokens.push(await open(ownerId));
    expect(await sessions.find(tokens[0]!)).toBeUndefined();
    expect(await sessions.find(tokens[1]!)).toBeDefined();
    expect(await sessions.find(tokens[20]!)).toBeDefined();
  });

  it('ends when the password changes, and listeners are notified', async () => {
    const heard: string[] = [];
    const { connection, pool } = database;
    const notifications = new Notifications({ connection, pool, log: silentLog });
    await notifications.start();
    await notifications.listen('credentials', (id) => heard.push(id));
    const token = await open(ownerId);
    const id = (await sessions.find(token))?.sessionId;
    expect(await workspaces.setPassword(`OWNER${people}@example.test`, 'other')).toBe(true);
    expect(await sessions.find(token)).toBeUndefined();
    expect(await sessions.find(await open(ownerId, 'hash'))).toBeUndefined();
    expect(await sessions.find(await open(ownerId, 'other'))).toBeDefined();
    await eventually(
      async () => heard,
      (ids) => ids.includes(String(id)),
    );
    await notifications.stop();
  });
});

describe('failed sign-ins', () => {
  const span = `interval '15 minutes'`;

  it('are counted per account and address, and expire one by one', async () => {
    const tries = new PostgresSignInTries(database.pool);
    const take = (email = 'a@example.test', address = '192.0.2.1') => tries.take(email, address);
    const kinds = await Promise.all(Array.from({ length: 12 }, async () => (await take()).kind));
    expect(kinds.filter((kind) => kind === 'taken')).toHaveLength(10);
    expect((await take('A@EXAMPLE.test')).kind).toBe('refused');
    for (let n = 0; n < 10; n += 1) await take('iris@example.test', '192.0.2.9');
    // A dotted capital I, which the database lowercases to a plain i.
    expect((await values(database.pool, "SELECT lower('İRIS')"))[0]).toBe('iris');
    expect((await take('İRIS@example.test', '192.0.2.9')).kind).toBe('refused');
    expect((await take('b@example.test')).kind).toBe('taken');
    expect((await take('a@example.test', '192.0.2.2')).kind).toBe('taken');
    await database.pool.query(
      `UPDATE sign_in_failures SET failed_at[1] = now() - ${span} - interval '1 ms' WHERE address = '192.0.2.1'`,
    );
    expect([(await take()).kind, (await take()).kind]).toEqual(['taken', 'refused']);
  });

  it('do not include successful ones, which leave no row behind', async () => {
    const tries = new PostgresSignInTries(database.pool);
    for (let times = 0; times < 12; times += 1) {
      const one = await tries.take('c@example.test', '192.0.2.3');
      expect(one.kind).toBe('taken');
      if (one.kind === 'taken') await one.release();
    }
    await new Housekeeping(database.pool).purge();
    expect(await values(database.pool, `SELECT 1 FROM sign_in_failures WHERE address = '192.0.2.3'`)).toEqual(
      [],
    );
  });

  it('are not counted if no password was compared', async () => {
    const tries = new PostgresSignInTries(database.pool);
    const busy = {
      hash: async () => 'hash',
      matches: () => Promise.reject(unavailable('backlog', 'Too many sign-ins at once.')),
    };
    const signIn = new SignIn(
      sessions,
      tries,
      busy,
      new OpenSessions(sessions, sessions),
      new SignInTokens(new AesSecretBox(randomBytes(32))),
    );
    const body = { email: `owner${people}@example.test`, password: 'right', workspace_id: undefined };
    const visitor = { address: '192.0.2.4', userAgent: '', token: undefined };
    for (let times = 0; times < 11; times += 1)
      await expect(signIn.execute(body, visitor)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect((await tries.take(body.email, visitor.address)).kind).toBe('taken');
  });
});

describe('changes of a member', () => {
  const typesOf = async (id: string) =>
    (await eventsOf(database.pool, workspaceId, 'user.%'))
      .filter(({ data }) => data.id === id)
      .map(({ type, extra }) => [type, extra?.previous]);

  it('are written as events of the user', async () => {
    const id = await member();
    await members.change(workspaceId, id, { role: 'admin' });
    await members.change(workspaceId, id, { role: 'admin' });
    await members.change(workspaceId, id, { status: 'suspended' });
    await members.change(workspaceId, id, { status: 'active', role: 'viewer' });
    await database.pool.query(
      `UPDATE users SET consent = consent || '{"tracking":"granted"}' WHERE id = $1`,
      [id],
    );
    await members.remove(workspaceId, id);
    expect(await typesOf(id)).toEqual([
      ['user.created', undefined],
      ['user.status_changed', { status: 'invited' }],
      ['user.updated', { username: expect.any(String), display_name: 'Member' }],
      ['user.updated', {}],
      ['user.status_changed', { status: 'active' }],
      ['user.status_changed', { status: 'suspended' }],
      ['user.updated', {}],
      ['user.deleted', undefined],
    ]);
    const erased = await database.pool.query(
      'SELECT status, email, display_name, password_hash, role, consent FROM users WHERE id = $1',
      [id],
    );
    const consent = { marketing: 'unknown', notification: 'unknown', tracking: 'unknown' };
    expect(erased.rows).toEqual([
      {
        status: 'deleted',
        email: '',
        display_name: 'Deleted user',
        password_hash: null,
        role: null,
        consent,
      },
    ]);
  });

  it('include an invitation that expires after a week', async () => {
    const { hash: tokenHash } = generateToken('tl_in_');
    const { id } = await members.create({
      id: uuidv7(),
      workspace_id: workspaceId,
      created_by: ownerId,
      kind: 'member',
      role: 'member',
      email: 'late@example.test',
      username: null,
      suggested: 'late',
      display_name: 'Late',
      token_hash: tokenHash,
    });
    const [days] = await values<number>(
      database.pool,
      `SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::int FROM invitations WHERE user_id = $1`,
      [id],
    );
    expect(days).toBe(7);
    await database.pool.query(
      `UPDATE invitations SET expires_at = now() - interval '1 ms' WHERE user_id = $1`,
      [id],
    );
    expect(await members.isOpen(tokenHash)).toBe(false);
    const accepting = members.accept({ tokenHash, passwordHash: 'h', username: 'late', displayName: 'L' });
    await expect(accepting).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the user of the test workspace', () => {
  const counterpart = (id: string) => values<string>(database.pool, 'SELECT (test_user($1)).id', [id]);

  it('is suspended and activated with the live one', async () => {
    const id = await member();
    const [test] = await counterpart(id);
    const status = () => values<string>(database.pool, 'SELECT status FROM users WHERE id = $1', [test]);
    await members.change(workspaceId, id, { status: 'suspended' });
    expect(await status()).toEqual(['suspended']);
    await members.change(workspaceId, id, { status: 'active' });
    expect(await status()).toEqual(['active']);
    await members.remove(workspaceId, id);
    expect(await status()).toEqual(['deleted']);
  });

  it('stays the same when the live user is renamed, and is not a contact with the same name', async () => {
    const [testWorkspace] = await values<string>(
      database.pool,
      'SELECT id FROM workspaces WHERE live_workspace_id = $1',
      [workspaceId],
    );
    await database.pool.query(
      `INSERT INTO users (id, workspace_id, kind, username, display_name) VALUES ($1, $2, 'contact', 'owner', 'Contact')`,
      [uuidv7(), testWorkspace],
    );
    const [first] = await counterpart(ownerId);
    await database.pool.query(`UPDATE users SET username = 'renamed' WHERE id = $1`, [ownerId]);
    expect(await counterpart(ownerId)).toEqual([first]);
    const [kind] = await values<string>(database.pool, 'SELECT kind FROM users WHERE id = $1', [first]);
    expect(kind).toBe('member');
  });
});
