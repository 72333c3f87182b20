import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { install } from '../../../src/store/install.js';
import { recordingLog, silentLog } from '../../support/log.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { waitUntil } from '../../support/wait-for.js';

describe('the schema files', () => {
  let database: TestDatabase;
  let directory: string;

  beforeEach(async () => {
    database = await testDatabase({ empty: true });
    directory = await mkdtemp(join(tmpdir(), 'trunkline-install-'));
    await Promise.all(['schema', 'functions'].map((folder) => mkdir(join(directory, folder))));
  });

  afterEach(async () => {
    await database.drop();
    await rm(directory, { recursive: true });
  });

  const write = (name: string, sql: string) => writeFile(join(directory, 'schema', name), sql);
  const run = (log = silentLog) => install(database.pool, { directory, log, release: '0.1.0' });
  const exists = async (table: string) =>
    (await database.pool.query('SELECT to_regclass($1) IS NOT NULL AS yes', [table])).rows[0].yes;

  const waitingFor = async (table: string) =>
    (
      await database.pool.query(
        'SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = $1::regclass',
        [table],
      )
    ).rows[0].n;

  it('run in the order of their numbers, each once', async () => {
    await write('0002_second.sql', 'ALTER TABLE a ADD COLUMN more text; CREATE TABLE b (id int);');
    await write('0001_first.sql', 'CREATE TABLE a (id int);');
    const log = recordingLog();
    expect(await run(log)).toBe(2);
    expect(await run(log)).toBe(0);
    await write('0003_third.sql', 'INSERT INTO a VALUES (1)');
    expect(await run(log)).toBe(1);
    const ran = log.lines.filter(({ event }) => event === 'schema.migrated');
    expect(ran.map(({ fields }) => fields.migration)).toEqual([
      '0001_first.sql',
      '0002_second.sql',
      '0003_third.sql',
    ]);
    const { rows } = await database.pool.query(
      'SELECT version, name FROM schema_migrations ORDER BY version',
    );
    expect(rows.map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  it('run once when several processes start at once', async () => {
    await write('0001_first.sql', 'CREATE TABLE a (id int);');
    const counts = await Promise.all([run(), run(), run(), run()]);
    expect(counts.toSorted()).toEqual([0, 0, 0, 1]);
  });

  it('leave nothing of a file that fails and keep what ran before it', async () => {
    await write('0001_first.sql', 'CREATE TABLE a (id int);');
    await write('0002_broken.sql', 'CREATE TABLE b (id int); SELECT * FROM nowhere;');
    await expect(run()).rejects.toThrow('0002_broken.sql failed: relation "nowhere" does not exist');
    expect(await exists('a')).toBe(true);
    expect(await exists('b')).toBe(false);
    await write('0002_broken.sql', 'CREATE TABLE b (id int);');
    expect(await run()).toBe(1);
  });

  it('let a running version finish its work on the same tables, and run afterwards', async () => {
    await write('0001_first.sql', 'CREATE TABLE a (id int); CREATE TABLE b (id int);');
    await run();
    await write('0002_second.sql', 'ALTER TABLE b ADD COLUMN more text; ALTER TABLE a ADD COLUMN more text;');
    const running = await database.pool.connect();
    try {
      await running.query('BEGIN; INSERT INTO a VALUES (1)');
      const migrated = run();
      await waitUntil(async () => (await waitingFor('a')) > 0);
      // Each holds a lock that the other waits for.
      await running.query('INSERT INTO b VALUES (1); COMMIT');
      expect(await migrated).toBe(1);
    } finally {
      running.release();
    }
  });

  it('refuse a database of a newer version', async () => {
    await write('0001_first.sql', 'SELECT 1');
    await write('0002_second.sql', 'SELECT 2');
    await run();
    await rm(join(directory, 'schema', '0002_second.sql'));
    const refusal = await run().catch((error: Error) => error);
    expect(refusal).toMatchObject({ name: 'SchemaTooNewError' });
    expect(String(refusal)).toContain('schema 2 and this version of Trunkline knows 1');
  });

  it('leave a database of a newer version unchanged if it works with this version', async () => {
    await write('0001_first.sql', 'SELECT 1');
    await write('0002_second.sql', '-- A column more.\n-- Works from: 0001\nCREATE TABLE b (id int);');
    await write('0003_third.sql', '-- Works from: 0001\nSELECT 3');
    expect(await run()).toBe(3);
    await rm(join(directory, 'schema', '0002_second.sql'));
    await rm(join(directory, 'schema', '0003_third.sql'));
    const log = recordingLog();
    expect(await run(log)).toBe(0);
    expect(log.lines).toMatchObject([
      { level: 'warn', event: 'schema.newer_than_this_version', fields: { schema: 3, known: 1 } },
    ]);
    expect(await exists('b')).toBe(true);
    await write('0001_first.sql', 'SELECT 2');
    await expect(run()).rejects.toMatchObject({ name: 'SchemaChangedError' });
  });

  it('refuse a newer version if one of its migrations works only from a later version', async () => {
    await write('0001_first.sql', 'SELECT 1');
    await write('0002_second.sql', '-- Works from: 0001\nSELECT 2');
    await write('0003_third.sql', '-- Works from: 0002\nSELECT 3');
    await write('0004_fourth.sql', '-- Works from: 0001\nSELECT 4');
    await run();
    await rm(join(directory, 'schema', '0004_fourth.sql'));
    await rm(join(directory, 'schema', '0003_third.sql'));
    expect(await run()).toBe(0);
    await rm(join(directory, 'schema', '0002_second.sql'));
    await expect(run()).rejects.toMatchObject({ name: 'SchemaTooNewError' });
  });

  it('refuse a file that was changed after it ran, but accept other line endings', async () => {
    await write('0001_first.sql', 'SELECT 1;\n');
    await run();
    await write('0001_first.sql', 'SELECT 1;\r\n');
    expect(await run()).toBe(0);
    await write('0001_first.sql', 'SELECT 2;\n');
    await expect(run()).rejects.toMatchObject({ name: 'SchemaChangedError' });
  });

  it('record the release that ran them, also in a table of an early build', async () => {
    await write('0001_first.sql', 'SELECT 1');
    await run();
    await database.pool.query('ALTER TABLE schema_migrations DROP COLUMN release');
    await write('0002_second.sql', 'SELECT 2');
    await run();
    const { rows } = await database.pool.query('SELECT release FROM schema_migrations ORDER BY version');
    expect(rows).toEqual([{ release: null }, { release: '0.1.0' }]);
  });

  it('refuse gaps, doubles and other names', async () => {
    await write('0002_second.sql', 'SELECT 1');
    await expect(run()).rejects.toThrow('without gaps or doubles');
    await write('0001_one.sql', 'SELECT 1');
    await write('0001_two.sql', 'SELECT 1');
    await expect(run()).rejects.toThrow('without gaps or doubles');
    await write('fix.sql', 'SELECT 1');
    await expect(run()).rejects.toThrow('NNNN_name.sql');
  });
});
