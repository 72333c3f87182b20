import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackupStage, contents } from '../../support/backups.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { PROGRAM } from '../../support/service-process.js';

let stage: BackupStage;
let target: TestDatabase;
let file: string;

beforeAll(async () => {
  stage = await BackupStage.open();
  target = await testDatabase({ empty: true });
  file = join(stage.folder, 'one.backup');
  expect(await stage.run(stage.source.url, ['backup', file], 'source')).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await target?.drop();
  await stage?.close();
});

const tables = () =>
  values<string>(target.pool, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace");

/** Starts a command, and kills it while its connection waits for `lock`, which this transaction holds. */
async function killedAt(database: TestDatabase, lock: string, args: readonly string[]): Promise<void> {
  const holder = await database.pool.connect();
  try {
    await holder.query(`BEGIN; ${lock}`);
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: stage.environment(database.url, 'killed'),
      stdio: 'ignore',
    });
    const exited = once(child, 'exit');
    const waiting = () =>
      values<number>(
        database.pool,
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    await expect.poll(async () => (await waiting()).length).toBe(1);
    child.kill('SIGKILL');
    await exited;
    await holder.query('ROLLBACK');
    await expect.poll(waiting).toEqual([]);
  } finally {
    holder.release(true);
  }
}

describe('trunkline restore', () => {
  it('refuses a wrong or missing master key before it touches the database', async () => {
    const other = { TRUNKLINE_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') };
    const wrong = await stage.run(target.url, ['restore', file], 'target', other);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('does not fit the backup') });
    expect(wrong.err).toContain(`"trunkline keys status" calls ${stage.keyName}`);
    const { TRUNKLINE_MASTER_KEY: _, ...none } = stage.environment(target.url, 'target');
    const missing = await stage.runIn(none, ['restore', file]);
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('no master key for this backup') });
    expect(await tables()).toEqual([]);
    expect(await readdir(stage.folder)).not.toContain('target');
  });

  it('refuses a file that was cut short, changed, or never was a backup', async () => {
    const bytes = await readFile(file);
    const middle = Buffer.from(bytes);
    middle[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    const bad = {
      cut: bytes.subarray(0, -20),
      middle,
      text: Buffer.from('Not a backup.'),
      none: Buffer.alloc(0),
    };
    for (const [name, content] of Object.entries(bad)) {
      const path = join(stage.folder, name);
      await writeFile(path, content);
      const { code, err } = await stage.run(target.url, ['restore', path], 'target');
      expect(code, name).toBe(1);
      expect(err, name).toContain('The file is incomplete or was changed.');
    }
    expect(await tables()).toEqual([]);
  });

  it('refuses a database with a single row, and changes nothing', async () => {
    const used = await testDatabase();
    await used.pool.query("INSERT INTO outbox (topic, payload) VALUES ('x', '{}')");
    const before = await contents(used);
    const { code, err } = await stage.run(used.url, ['restore', file], 'used');
    expect(code).toBe(1);
    expect(err).toContain('The database is not empty (the table outbox has rows), and nothing was changed.');
    expect(await contents(used)).toEqual(before);
    await used.drop();
  });

  it('leaves an empty database when it is killed, and the next restore succeeds', async () => {
    const fresh = await testDatabase();
    // The sequences are restored after all rows.
    await killedAt(fresh, 'ALTER SEQUENCE events_position_seq INCREMENT BY 1', ['restore', file]);
    expect(await values(fresh.pool, 'SELECT id FROM workspaces')).toEqual([]);
    expect(await stage.run(fresh.url, ['restore', file], 'killed')).toMatchObject({ code: 0, err: '' });
    expect(await contents(fresh)).toEqual(await contents(stage.source));
    await fresh.drop();
  });
});

describe('trunkline backup', () => {
  it('refuses to overwrite an existing file', async () => {
    expect((await stage.run(stage.source.url, ['backup', file], 'source')).err).toContain('Name a new file.');
  });

  it('leaves no file of the final name when it is killed', async () => {
    const path = join(stage.folder, 'killed.backup');
    await killedAt(stage.source, 'LOCK TABLE workspaces', ['backup', path]);
    const found = await readdir(stage.folder);
    expect(found).not.toContain('killed.backup');
    expect(found.filter((name) => name.startsWith('killed.backup.'))).toHaveLength(1);
  });
});
