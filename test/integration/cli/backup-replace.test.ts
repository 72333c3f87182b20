import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClient } from '../../../src/store/connection/client.js';
import { PostgresWorkspaces } from '../../../src/store/workspaces/workspaces.js';
import { BackupStage, contents, shape } from '../../support/backups.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const EMAIL = 'former@a.example';

let stage: BackupStage;
let used: TestDatabase;
let file: string;

beforeAll(async () => {
  stage = await BackupStage.open();
  used = await testDatabase();
  const owner = {
    email: EMAIL,
    passwordHash: 'none',
    username: 'former',
    displayName: 'Former',
    operator: true,
  };
  await new PostgresWorkspaces(used.pool).bootstrap('Former', owner, undefined);
  file = join(stage.folder, 'one.backup');
  expect(await stage.run(stage.source.url, ['backup', file], 'source')).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await used?.drop();
  await stage?.close();
});

const restore = (...args: string[]) => stage.run(used.url, ['restore', file, ...args], 'used');

describe('trunkline restore into a database with members', () => {
  it('is refused, and the message names the option that replaces them', async () => {
    const before = await contents(used);
    const { code, err } = await restore();
    expect(code).toBe(1);
    expect(err).toContain('rows), and nothing was changed.');
    expect(err).toContain('With --replace everything in this database is removed');
    expect(await contents(used)).toEqual(before);
  });

  it('is refused with --replace while a service uses the database', async () => {
    const before = await contents(used);
    const session = await connectClient({ ...used.connection, application_name: 'trunkline' });
    const { code, err } = await restore('--replace');
    await session.end();
    expect(code).toBe(1);
    expect(err).toContain('Trunkline uses this database (1 session), and nothing was changed.');
    expect(await contents(used)).toEqual(before);
  });

  it('leaves only the rows of the backup with --replace', async () => {
    await expect
      .poll(() =>
        values(
          used.pool,
          "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'trunkline'",
        ),
      )
      .toEqual([]);
    expect(await restore('--replace')).toMatchObject({ code: 0, err: '' });
    expect(await contents(used)).toEqual(await contents(stage.source));
    expect(await shape(used)).toEqual(await shape(stage.source));
    expect(await values(used.pool, `SELECT id FROM users WHERE email = '${EMAIL}'`)).toEqual([]);
  });
});
