import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RehearsalReport, type RehearsalStep, rehearse } from '../../src/app/backup/rehearse.js';
import { readConfig } from '../../src/config.js';
import { connectClient } from '../../src/store/connection/client.js';
import { install, knownSchema } from '../../src/store/install.js';
import { BackupStage, contents } from '../support/backups.js';
import { silentLog } from '../support/log.js';
import { values } from '../support/people.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { asAdmin } from '../support/postgres-server.js';

let stage: BackupStage;
/** An installation with the second newest schema, and a role that may create databases. */
let old: TestDatabase;
let role: string;
let url: string;
let file: string;
let temporary: string;

const upgrade = (...args: string[]) =>
  stage.run(url, ['upgrade', '--rehearse', ...args], 'source', { TMPDIR: temporary });

const rehearsals = () =>
  values<string>(old.pool, "SELECT datname FROM pg_database WHERE datname LIKE 'trunkline_rehearsal%'");

beforeAll(async () => {
  stage = await BackupStage.open();
  old = await testDatabase({ empty: true });
  const host = String(old.connection.host);
  role = `creator_${randomBytes(6).toString('hex')}`;
  await asAdmin(host, `CREATE ROLE ${role} LOGIN CREATEDB`);
  await asAdmin(host, `GRANT ${role} TO trunkline`);
  url = `postgres://${role}@localhost/${old.connection.database}?host=${encodeURIComponent(host)}`;
  temporary = await mkdtemp(join(tmpdir(), 'trunkline-rehearse-'));
  await install(old.pool, { log: silentLog, release: '0.0.9', upTo: (await knownSchema()).length - 1 });
  await old.pool.query(`INSERT INTO workspaces (id, name) VALUES (uuid7(), 'Old')`);
  file = join(stage.folder, 'old.backup');
  expect(await stage.run(old.url, ['backup', file], 'source')).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await old?.drop();
  await asAdmin(String(stage.source.connection.host), `DROP ROLE IF EXISTS ${role}`);
  await stage?.close();
  await rm(temporary, { recursive: true, force: true });
});

describe('trunkline upgrade --rehearse', () => {
  it('restores, migrates and verifies a backup on the same server, and leaves nothing there', async () => {
    const before = await contents(old);
    const { code, out, err } = await upgrade(file);
    expect(err).toContain('[4/5] Migrate it to this version');
    expect(out).toMatch(/Migration +0\d+_\w+\.sql, \d+\.\d\d s\n/);
    expect(out).toContain('on the server of DATABASE_URL');
    expect(out).toContain('PASSED in ');
    expect(code).toBe(0);
    expect(await rehearsals()).toEqual([]);
    expect(await contents(old)).toEqual(before);
    expect(await values(old.pool, 'SELECT max(version) FROM schema_migrations')).toEqual([
      (await knownSchema()).length - 1,
    ]);
  });

  it('prints one JSON object with versions, times and numbers of rows', async () => {
    const { code, out } = await upgrade(file, '--json');
    expect(code).toBe(0);
    const report = JSON.parse(out) as RehearsalReport;
    expect(report).toMatchObject({
      result: 'passed',
      error: null,
      place: 'server',
      backup: { file, schema: (await knownSchema()).length - 1 },
      changed: [],
    });
    expect(report.steps.map(({ step }) => step)).toEqual(['check', 'create', 'restore', 'migrate', 'verify']);
    expect(report.migrations.map(({ name }) => name)).toContain('database functions');
    expect(report.migrations).toHaveLength(2);
    expect(report.rows).toBe(report.restored?.rows);
    expect(report.rows).toBeGreaterThan(0);
  });

  it('uses an embedded server where the role may not create databases, and removes its folder', async () => {
    const whole = join(stage.folder, 'whole.backup');
    expect(await stage.run(stage.source.url, ['backup', whole], 'source')).toMatchObject({ code: 0 });
    // The remains of a killed rehearsal. No process has this number.
    await mkdir(join(temporary, 'trunkline-rehearsal-4194305-abc'));
    const { code, out } = await stage.run(
      stage.source.url,
      ['upgrade', '--rehearse', whole, '--json'],
      'source',
      { TMPDIR: temporary },
    );
    const report = JSON.parse(out) as RehearsalReport;
    expect(report).toMatchObject({
      result: 'passed',
      place: 'embedded',
      restored: { files: 1 },
      changed: [],
    });
    expect(code).toBe(0);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('uses the backup of a folder with the newest snapshot, and ignores other files', async () => {
    const folder = join(stage.folder, 'nightly');
    await mkdir(folder);
    const newest = join(folder, 'a.backup');
    await cp(file, join(folder, 'z.backup'));
    expect(await stage.run(old.url, ['backup', newest], 'source')).toMatchObject({ code: 0 });
    await utimes(newest, 0, 0);
    await writeFile(join(folder, 'notes.txt'), 'No backup.');
    await writeFile(join(folder, 'b.backup.0000.part'), await readFile(file));
    const { out } = await upgrade(folder, '--json');
    expect(JSON.parse(out)).toMatchObject({ result: 'passed', backup: { file: newest } });
  });

  it('reports a wrong master key, a damaged file and a missing file', async () => {
    const damaged = join(stage.folder, 'damaged.backup');
    await writeFile(damaged, (await readFile(file)).subarray(0, -10));
    const { code, out } = await upgrade(damaged, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ result: 'failed', error: { step: 'check' }, place: null });
    const whole = join(stage.folder, 'key.backup');
    expect(await stage.run(stage.source.url, ['backup', whole], 'source')).toMatchObject({ code: 0 });
    const wrong = await stage.run(url, ['upgrade', '--rehearse', whole], 'source', {
      TRUNKLINE_MASTER_KEY: Buffer.alloc(32, 8).toString('base64'),
    });
    expect(wrong).toMatchObject({ code: 1, out: expect.stringContaining('does not fit the backup') });
    expect(await upgrade(join(stage.folder, 'none'))).toMatchObject({ code: 2 });
    expect(await rehearsals()).toEqual([]);
  });
});

describe('a rehearsal', () => {
  /** This version with one additional schema file. */
  async function versionWith(sql: string): Promise<string> {
    const directory = await mkdtemp(join(stage.folder, 'version-'));
    for (const name of ['schema', 'functions'])
      await cp(join('src', 'store', name), join(directory, name), { recursive: true });
    const number = String((await knownSchema()).length + 1).padStart(4, '0');
    await writeFile(join(directory, 'schema', `${number}_next.sql`), sql);
    return directory;
  }

  const begin = (more: {
    directory?: string;
    onStep?: (step: RehearsalStep) => void;
    signal?: AbortSignal;
  }) =>
    rehearse({
      config: readConfig(stage.environment(url, 'source')),
      path: file,
      embedded: false,
      write: () => undefined,
      onStep: () => undefined,
      signal: new AbortController().signal,
      ...more,
    });

  it('names the migration that fails on the data, and removes the database', async () => {
    const directory = await versionWith(
      'ALTER TABLE workspaces ADD CONSTRAINT no_old CHECK (name <> $$Old$$);',
    );
    const report = await begin({ directory });
    expect(report).toMatchObject({ result: 'failed', error: { step: 'migrate' } });
    expect(report.error?.message).toContain('_next.sql failed');
    expect(await rehearsals()).toEqual([]);
  });

  it('reports rows that a migration removes', async () => {
    const report = await begin({ directory: await versionWith('DELETE FROM workspaces;') });
    expect(report).toMatchObject({
      result: 'passed',
      changed: [{ table: 'workspaces', before: 1, after: 0 }],
    });
  });

  it('removes the database when it is interrupted in a migration', async () => {
    const directory = await versionWith('SELECT pg_sleep(600);');
    const interruption = new AbortController();
    const work = begin({ directory, signal: interruption.signal });
    const sleeping =
      "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname LIKE 'trunkline_rehearsal%'";
    await expect.poll(async () => (await values(old.pool, sleeping)).length).toBe(1);
    interruption.abort(new Error('The rehearsal was interrupted.'));
    expect(await work).toMatchObject({
      result: 'failed',
      error: { step: 'migrate', message: 'The rehearsal was interrupted.' },
    });
    expect(await rehearsals()).toEqual([]);
  });

  it('removes the database of a killed rehearsal, but not that of a running one', async () => {
    const names = ['a', 'b'].map((letter) => `trunkline_rehearsal_${letter.repeat(16)}`);
    const client = await connectClient({ connectionString: url });
    for (const name of names) await client.query(`CREATE DATABASE ${name}`);
    const running = await connectClient({ connectionString: url, application_name: names[1] });
    expect(await begin({})).toMatchObject({ result: 'passed' });
    expect(await rehearsals()).toEqual([names[1]]);
    await running.end();
    expect(await begin({})).toMatchObject({ result: 'passed' });
    expect(await rehearsals()).toEqual([]);
    await client.end();
  });
});
