import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '../../../src/store/connection/pools.js';
import { install, knownSchema } from '../../../src/store/install.js';
import { Installation } from '../../../src/store/maintenance/installation.js';
import { BackupStage, contents, LOST, MEDIA, shape } from '../../support/backups.js';
import { silentLog } from '../../support/log.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { asAdmin } from '../../support/postgres-server.js';

let stage: BackupStage;
let target: TestDatabase;
let file: string;

beforeAll(async () => {
  stage = await BackupStage.open();
  target = await testDatabase({ empty: true });
  file = join(stage.folder, 'one.backup');
});

afterAll(async () => {
  await target?.drop();
  await stage?.close();
});

describe('trunkline backup and restore', () => {
  it('bring every row, number and file into another database', async () => {
    const written = await stage.run(stage.source.url, ['backup', file], 'source');
    expect(written).toMatchObject({ code: 0, out: expect.stringContaining('one snapshot of 20') });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(stage.folder)).sort()).toEqual(['one.backup', 'source']);
    const restored = await stage.run(target.url, ['restore', file], 'target');
    expect(restored).toMatchObject({ code: 0, err: '', out: expect.stringContaining('starts paused') });
    const [before, after] = [await contents(stage.source), await contents(target)];
    for (const table of ['workspaces', 'workspace_keys', 'messages', 'deliveries', 'events', 'media'])
      expect(before.get(table)?.length, table).toBeGreaterThan(0);
    expect(after).toEqual(before);
    expect(await stage.openSecrets(target)).toBe(1);
    expect(await readFile(join(stage.folder, 'target', 'media', 'ab', MEDIA), 'utf8')).toBe('A picture.');
    expect(await shape(target)).toEqual(await shape(stage.source));
  });

  it('mark the restored database as a copy, so that the service starts paused', async () => {
    expect(await new Installation(target.pool, {}).differences()).toContain('table');
  });

  it('name a file of the snapshot that is gone', async () => {
    const written = await stage.run(stage.source.url, ['backup', `${file}.lost`], 'source');
    expect(written).toMatchObject({
      code: 0,
      err: `1 file of the snapshot is not in DATA_DIR/media: ${LOST} (a?.txt)\n`,
    });
    expect(written.out).toContain('and 1 file.');
  });

  it('restore a backup of an older schema and bring it up to this version', async () => {
    const [old, young] = [await testDatabase({ empty: true }), await testDatabase({ empty: true })];
    const upTo = (await knownSchema()).length - 1;
    await install(old.pool, { log: silentLog, release: '0.0.9', upTo });
    await old.pool.query(`INSERT INTO workspaces (id, name) VALUES (uuid7(), 'Old')`);
    const path = `${file}.old`;
    expect(await stage.run(old.url, ['backup', path], 'old')).toMatchObject({ code: 0, err: '' });
    expect(await stage.run(young.url, ['restore', path], 'young')).toMatchObject({ code: 0, err: '' });
    expect(await values(young.pool, 'SELECT name FROM workspaces')).toEqual(['Old']);
    expect(await values(young.pool, 'SELECT max(version) FROM schema_migrations')).toEqual([upTo + 1]);
    await Promise.all([old.drop(), young.drop()]);
  });
});

describe('a managed PostgreSQL', () => {
  it('can be restored and backed up by a role that owns only its database', async () => {
    const host = String(stage.source.connection.host);
    const name = `managed_${randomBytes(6).toString('hex')}`;
    const third = await testDatabase({ empty: true });
    await asAdmin(
      host,
      `CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS`,
    );
    await asAdmin(host, `CREATE DATABASE ${name} OWNER ${name}`);
    const url = `postgres://${name}@localhost/${name}?host=${encodeURIComponent(host)}`;
    const pool = createPool({ host, user: name, database: name, max: 2 }, silentLog);
    try {
      expect(await stage.run(url, ['restore', file], 'managed')).toMatchObject({ code: 0, err: '' });
      expect(await contents({ pool })).toEqual(await contents(stage.source));
      expect(await shape({ pool })).toEqual(await shape(stage.source));
      const path = `${file}.managed`;
      expect(await stage.run(url, ['backup', path], 'managed')).toMatchObject({ code: 0 });
      expect(await stage.run(third.url, ['restore', path], 'third')).toMatchObject({ code: 0, err: '' });
      expect(await contents(third)).toEqual(await contents(stage.source));
    } finally {
      await pool.end();
      await asAdmin(host, `DROP DATABASE ${name} WITH (FORCE)`);
      await asAdmin(host, `DROP ROLE ${name}`);
      await third.drop();
    }
  });
});

it('A failed backup is reported as an event in the workspaces of operators.', async () => {
  await stage.source.pool.query('UPDATE users SET operator = true');
  const nowhere = join(stage.folder, 'missing', 'one.backup');
  const failed = await stage.run(stage.source.url, ['backup', nowhere], 'source');
  expect(failed.code).toBe(1);
  const texts = await values<string>(
    stage.source.pool,
    `SELECT DISTINCT data->>'message' FROM events WHERE type = 'service.backup_failed'`,
    [],
  );
  expect(texts).toEqual([expect.stringMatching(/^A backup failed: ENOENT: .*missing/)]);
});
