import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashCredential } from '../../../src/core/access/api-key-format.js';
import { PostgresWorkspaces } from '../../../src/store/workspaces/workspaces.js';
import { CommandHost } from '../../support/command-line.js';
import { makeMember } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const EMAIL = 'ann@a.example';

let database: TestDatabase;
let host: CommandHost;

beforeAll(async () => {
  host = new CommandHost();
  database = await testDatabase();
  const owner = { email: EMAIL, passwordHash: 'none', username: 'ann', displayName: 'Ann', operator: true };
  await new PostgresWorkspaces(database.pool).bootstrap('Default', owner, undefined);
});
afterAll(async () => {
  await host.stop();
  await database.drop();
});

const reset = (email: string) =>
  host.run(['users', 'reset-two-step', email], {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATABASE_URL: database.url,
  });

async function read<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
  return (await database.pool.query(text, [...values])).rows as Row[];
}

/** A member with two-step sign-in and two signed-in browsers. */
async function enroll(id: string, workspaceId: string): Promise<void> {
  await read(
    `INSERT INTO second_steps (user_id, workspace_id, secret, enabled_at) VALUES ($1, $2, 'sealed', now())`,
    [id, workspaceId],
  );
  for (const browser of ['one', 'two']) {
    await read(
      `INSERT INTO sessions (workspace_id, user_id, token_hash, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')`,
      [workspaceId, id, hashCredential(`${id} ${browser}`)],
    );
  }
}

it('users reset-two-step turns the second step of one member off, ends their sessions, and is in the audit log', async () => {
  const [ann] = await read<{ id: string; workspace_id: string }>(
    'SELECT id, workspace_id FROM users WHERE email = $1',
    [EMAIL],
  );
  const { id, workspace_id: workspaceId } = ann ?? { id: '', workspace_id: '' };
  const bob = await makeMember(database.pool, workspaceId, 'bob');
  await enroll(id, workspaceId);
  await enroll(bob, workspaceId);
  expect(await reset(EMAIL)).toMatchObject({ code: 0, out: 'Two-step sign-in is off.\n' });
  const left = (table: 'sessions' | 'second_steps') =>
    read(`SELECT DISTINCT user_id FROM ${table} WHERE workspace_id = $1`, [workspaceId]);
  expect(await left('sessions')).toEqual([{ user_id: bob }]);
  expect(await left('second_steps')).toEqual([{ user_id: bob }]);
  const noted = await read(
    `SELECT actor_type, actor_id, object_id FROM audit_log WHERE action = 'second_step.disabled'`,
    [],
  );
  expect(noted).toEqual([{ actor_type: 'system', actor_id: null, object_id: id }]);
});

it('users reset-two-step fails and names the email if no member with that email has two-step sign-in on', async () => {
  for (const email of [EMAIL, 'nobody@a.example']) {
    const { code, out, err } = await reset(email);
    expect([code === 0, out]).toEqual([false, '']);
    expect(err).toContain(`No member who signs in with ${email} has two-step sign-in on.`);
  }
});
