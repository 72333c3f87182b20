import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '../../../src/store/connection/pools.js';
import { memberRole, openReaders, readIn } from '../../../src/store/connection/workspace-reads.js';
import { recordingLog, silentLog } from '../../support/log.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const [mine, theirs] = [randomUUID(), randomUUID()];

let database: TestDatabase;
let stopReading: () => Promise<void>;
/** Every table with a workspace. */
let tables: string[];

const openReading = (): Pool =>
  createPool(
    { ...database.connection, options: `-c role=${memberRole}`, pipeline: true, max: 2 } as never,
    silentLog,
  );

beforeAll(async () => {
  database = await testDatabase();
  stopReading = await openReaders(database.pool, openReading, silentLog);
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND a.attname = 'workspace_id'
       AND NOT a.attisdropped ORDER BY 1`,
  );
  tables = rows.map(({ name }) => name);
  await fill();
});
afterAll(async () => {
  await stopReading?.();
  await database?.drop();
});

/** One row of each of two workspaces in every table. Constraints and triggers are dropped, so that only the workspace is set. */
async function fill(): Promise<void> {
  for (const table of tables) {
    await database.pool.query(`
      DO $$ DECLARE c record; BEGIN
        ALTER TABLE ${table} DISABLE TRIGGER USER;
        FOR c IN SELECT conname FROM pg_constraint WHERE conrelid = '${table}'::regclass AND contype NOT IN ('n', 't') LOOP
          EXECUTE format('ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS %I CASCADE', c.conname);
        END LOOP;
        FOR c IN SELECT indexrelid::regclass AS name FROM pg_index WHERE indrelid = '${table}'::regclass LOOP
          EXECUTE format('DROP INDEX %s', c.name);
        END LOOP;
        FOR c IN SELECT attname FROM pg_attribute
          WHERE attrelid = '${table}'::regclass AND attnum > 0 AND attnotnull AND attidentity = '' AND NOT attisdropped LOOP
          EXECUTE format('ALTER TABLE ${table} ALTER COLUMN %I DROP NOT NULL', c.attname);
        END LOOP;
      END $$`);
    await database.pool.query(`INSERT INTO ${table} (workspace_id) VALUES ($1), ($2)`, [mine, theirs]);
  }
  await database.pool.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'mine'), ($2, 'theirs')`, [
    mine,
    theirs,
  ]);
}

describe('row-level security', () => {
  it('is on for every table with a workspace', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c WHERE c.relrowsecurity
         AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'own_workspace') ORDER BY 1`,
    );
    expect(tables.length).toBeGreaterThan(20);
    expect(rows.map(({ name }) => name)).toEqual(
      [...tables, 'workspaces', 'delivery_parts', 'connection_state'].sort(),
    );
  });

  it('covers parts of deliveries by the workspace of their delivery', async () => {
    const ids = [mine, theirs].map((workspace) => ({ workspace, id: randomUUID() }));
    for (const { workspace, id } of ids) {
      await database.pool.query('INSERT INTO deliveries (id, workspace_id) VALUES ($1, $2)', [id, workspace]);
      await database.pool.query(
        `INSERT INTO delivery_parts (delivery_id, index, kind, status) VALUES ($1, 0, 'text', 'sent')`,
        [id],
      );
    }
    for (const { workspace, id } of ids) {
      const { rows } = await readIn(database.pool, workspace, {
        text: 'SELECT delivery_id FROM delivery_parts',
      });
      expect(rows).toEqual([{ delivery_id: id }]);
    }
  });

  it('lets the member role sign a link to a file, but read neither the key nor the state of connections', async () => {
    await database.pool.query(`UPDATE media_signing SET key_inner = 'a', key_outer = 'b'`);
    const media = randomUUID();
    const text = `SELECT media_url('${media}', '2026-01-01') AS url`;
    const [signed] = (await readIn<{ url: string }>(database.pool, mine, { text })).rows;
    expect(signed).toEqual((await database.pool.query(text)).rows[0]);
    expect(signed?.url).toMatch(/^\/media\/[\w-]{70,}$/);
    for (const table of [
      'media_signing',
      'installation',
      'connection_state',
      'signaling',
      'signaling_processes',
    ]) {
      await expect(readIn(database.pool, mine, { text: `SELECT * FROM ${table}` })).rejects.toThrow(
        'permission denied',
      );
    }
  });

  it('shows the member role only the rows of one workspace in every table', async () => {
    const seen: Record<string, unknown> = {};
    for (const table of tables) {
      const text = `SELECT DISTINCT workspace_id FROM ${table}`;
      const { rows } = await readIn<{ workspace_id: string }>(database.pool, mine, { text });
      seen[table] = rows.map((row) => row.workspace_id);
      expect((await database.pool.query(text)).rowCount).toBe(2);
    }
    expect(seen).toEqual(Object.fromEntries(tables.map((table) => [table, [mine]])));
    const { rows } = await readIn(database.pool, theirs, { text: 'SELECT id FROM workspaces' });
    expect(rows).toEqual([{ id: theirs }]);
  });

  it('follows the caller from statement to statement on the same connections', async () => {
    const read = async (workspaceId: string) => {
      const { rows } = await readIn(database.pool, workspaceId, { text: 'SELECT id FROM workspaces' });
      return rows[0]?.id === workspaceId && rows.length === 1;
    };
    const asked = Array.from({ length: 60 }, (_, at) => read(at % 3 === 0 ? theirs : mine));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([true]));
  });

  it('shows no rows without a workspace, and denies the role writes and other tables', async () => {
    const reading = openReading();
    try {
      for (const table of tables) {
        expect((await reading.query(`SELECT FROM ${table}`).catch(() => ({ rowCount: 0 }))).rowCount).toBe(0);
      }
      await expect(reading.query('DELETE FROM messages')).rejects.toThrow('permission denied');
      await expect(reading.query('SELECT FROM rate_windows')).rejects.toThrow('permission denied');
    } finally {
      await reading.end();
    }
  });

  it('stays in effect after a statement that fails', async () => {
    const failing = readIn(database.pool, mine, { text: 'SELECT 1 / 0' });
    await expect(failing).rejects.toThrow('division by zero');
    expect((await readIn(database.pool, mine, { text: 'SELECT id FROM workspaces' })).rows).toEqual([
      { id: mine },
    ]);
  });

  it('is set up at the next start when the role was created after the schema', async () => {
    const late = await testDatabase();
    const open = () =>
      createPool(
        { ...late.connection, options: `-c role=${memberRole}`, pipeline: true, max: 2 } as never,
        silentLog,
      );
    await late.pool.query(`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${memberRole}`);
    const starts = await Promise.all(
      [late.pool, late.pool].map((pool) => openReaders(pool, open, silentLog)),
    );
    const read = (table: string) => readIn(late.pool, mine, { text: `SELECT FROM ${table}` });
    expect((await read('messages')).rowCount).toBe(0);
    await expect(read('outbox')).rejects.toThrow('permission denied');
    for (const stop of starts) await stop();
    await late.drop();
  });

  it('can be enabled by an administrator with the commands of the documentation', async () => {
    const page = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const commands = [...page.matchAll(/`(CREATE ROLE trunkline_member[^`]*)`/g)].map(
      ([, text]) => text ?? '',
    );
    const client = await database.pool.connect();
    try {
      const { rows } = await client.query(
        `SELECT current_setting('server_version_num')::int >= 160000 AS new`,
      );
      const [forNew, forOld] = commands;
      const command = (rows[0].new ? forNew : forOld) ?? '';
      await client.query('BEGIN; CREATE ROLE trunkline_documented LOGIN');
      const named = command
        .replaceAll(memberRole, 'trunkline_documented_member')
        .replaceAll('<user>', 'trunkline_documented');
      await client.query(named);
      const granted = await client.query(
        `SELECT pg_has_role('trunkline_documented', 'trunkline_documented_member', 'MEMBER') AS may`,
      );
      expect(granted.rows).toEqual([{ may: true }]);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('is skipped with a log entry if the service may not take the role', async () => {
    const log = recordingLog();
    const pool = createPool({ ...database.connection, max: 1 }, silentLog);
    const none = { query: async () => ({ rows: [{ may: false }] }) } as unknown as Pool;
    await (await openReaders(none, openReading, log))();
    expect(log.lines.map(({ event }) => event)).toEqual(['row_security.not_available']);
    expect((await readIn(pool, mine, { text: 'SELECT id FROM workspaces' })).rowCount).toBe(2);
    await pool.end();
  });
});
