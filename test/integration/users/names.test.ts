import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresUsers } from '../../../src/store/people/users.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let stage: BridgeStage;
let users: PostgresUsers;
let connection: string;

beforeAll(async () => {
  database = await testDatabase();
  stage = await bridgeStage(database.pool);
  users = new PostgresUsers(database.pool);
  connection = await stage.connection('alpha');
});

afterAll(() => database.drop());

let written = 0;

/** The name and the handle of a contact after a message. */
async function writes(sender: {
  readonly id: string;
  readonly displayName?: string;
  readonly handle?: string;
}) {
  await stage.report(connection, {
    type: 'message',
    chat: { id: `chat of ${sender.id}`, kind: 'direct' },
    messageId: `${++written}`,
    sender,
    content: { text: 'Hi', spans: [], attachments: [] },
  });
  const [found] = await values<{ id: string; name: string; handle: string | null }>(
    database.pool,
    `SELECT json_build_object('id', u.id, 'name', u.display_name, 'handle', i.handle)
    FROM identities i JOIN users u ON u.id = i.user_id WHERE i.external_id = $1`,
    [sender.id],
  );
  if (found === undefined) throw new Error('Nobody was made.');
  return found;
}

describe('the name of a contact', () => {
  it('follows the name on the platform, and stays when the platform sends none', async () => {
    expect(await writes({ id: 'u1', displayName: 'Zoe', handle: 'zoe' })).toMatchObject({ name: 'Zoe' });
    expect(await writes({ id: 'u1' })).toMatchObject({ name: 'Zoe', handle: 'zoe' });
    expect(await writes({ id: 'u1', displayName: 'Zoë' })).toMatchObject({ name: 'Zoë', handle: 'zoe' });
  });

  it('is the handle or the id until there is a better one', async () => {
    expect(await writes({ id: 'u2' })).toMatchObject({ name: 'u2' });
    expect(await writes({ id: 'u2', displayName: 'ada', handle: 'ada' })).toMatchObject({ name: 'ada' });
    expect(await writes({ id: 'u2', displayName: 'adele', handle: 'adele' })).toMatchObject({
      name: 'adele',
    });
    expect(await writes({ id: 'u2', displayName: 'Adele' })).toMatchObject({ name: 'Adele' });
    expect(await writes({ id: 'u3', handle: 'eve' })).toMatchObject({ name: 'eve', handle: 'eve' });
  });

  it('is not replaced by an id or a handle that the platform sends as the name', async () => {
    await writes({ id: 'u4', displayName: 'Bob', handle: 'bob' });
    expect(await writes({ id: 'u4', displayName: 'u4' })).toMatchObject({ name: 'Bob', handle: 'bob' });
    expect(await writes({ id: 'u4', displayName: 'bob' })).toMatchObject({ name: 'Bob', handle: 'bob' });
    expect(await writes({ id: 'u4', displayName: 'bobby', handle: 'bobby' })).toMatchObject({
      name: 'Bob',
      handle: 'bobby',
    });
  });

  it('that was set manually stays when the platform knows only numbers', async () => {
    const { id } = await writes({ id: '+12025550143', handle: '+12025550143' });
    await users.change(stage.workspaceId, id, { display_name: 'Barbara' });
    expect(await writes({ id: '+12025550143', handle: '+12025550143' })).toMatchObject({ name: 'Barbara' });
  });
});

it('a free username is found even if similar generated names are taken', async () => {
  const client = await database.pool.connect();
  const make = async () => {
    const { rows } = await client.query(
      `SELECT username FROM insert_contact($1, '{"display_name":"Анна"}', 'alpha', 'Анна')`,
      [stage.workspaceId],
    );
    return rows[0].username as string;
  };
  try {
    await client.query("BEGIN; SET LOCAL statement_timeout = '10s'");
    await client.query(
      `CREATE OR REPLACE FUNCTION contact_username(platform text, name text) RETURNS text LANGUAGE sql VOLATILE AS
        $$ SELECT 'alpha_contact_0000' $$`,
    );
    expect(await make()).toBe('alpha_contact_0000');
    expect(await make()).toMatch(/^alpha_contact_0000[0-9a-f]{8}$/);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
