import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bridgeStage, ended } from '../../support/bridge.js';
import { CommandHost } from '../../support/command-line.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const MEDIA = '0190b0a0-0000-7000-8000-0000000000ab';

let host: CommandHost;
let [source, target]: TestDatabase[] = [];
let folder: string;
let file: string;

beforeAll(async () => {
  host = new CommandHost();
  source = await testDatabase();
  target = await testDatabase({ empty: true });
  folder = await mkdtemp(join(tmpdir(), 'trunkline-backup-'));
  file = join(folder, 'one.backup');
  const stage = await bridgeStage(source.pool);
  const connection = await stage.connection('alpha');
  const conversation = await stage.conversation();
  await stage.link(conversation, connection, 'chat-7');
  await stage.send(conversation, 'Line\nbreak \\ tab\t “quoted” \u0001 🚂');
  await stage.deliveries.settle([ended(await stage.claimOne(connection), 'uncertain') as never]);
  await stage.post(connection, '+49111', 'Hello', { kind: 'direct' });
  await mkdir(join(folder, 'source', 'media', 'ab'), { recursive: true });
  await writeFile(join(folder, 'source', 'media', 'ab', MEDIA), 'A picture.');
  await source.pool.query(
    `INSERT INTO media (id, workspace_id, source, state, size, mime_type, name)
     SELECT '${MEDIA}', id, 'upload', 'ready', 10, 'text/plain', 'a.txt' FROM workspaces LIMIT 1`,
  );
});

afterAll(async () => {
  await host.stop();
  await source?.drop();
  await target?.drop();
  await rm(folder, { recursive: true, force: true });
});

const run = (database: TestDatabase | undefined, data: string, ...args: string[]) =>
  host.run(args, {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATA_DIR: join(folder, data),
    DATABASE_URL: database?.url ?? '',
  });

/** All rows of all tables that last, without numbers of transactions. */
async function contents(database: TestDatabase | undefined): Promise<Map<string, string[]>> {
  if (database === undefined) throw new Error('The database is missing.');
  const tables = await values<string>(
    database.pool,
    `SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND relpersistence = 'p' AND relname <> 'schema_migrations' ORDER BY 1`,
  );
  const found = new Map<string, string[]>();
  for (const table of tables) {
    const text = `SELECT (to_jsonb(t) - ARRAY['xid', 'seen', 'next_xid', 'until', 'event_xid'])::text
      FROM public."${table}" t ORDER BY 1`;
    found.set(table, await values<string>(database.pool, text));
  }
  return found;
}

describe('trunkline backup and restore', () => {
  it('bring every row, number and file into another database', async () => {
    expect(await run(source, 'source', 'backup', file)).toMatchObject({ code: 0, err: '' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await run(target, 'target', 'restore', file)).toMatchObject({ code: 0, err: '' });
    const [before, after] = [await contents(source), await contents(target)];
    for (const table of ['workspaces', 'messages', 'deliveries', 'events', 'media'])
      expect(before.get(table)?.length, table).toBeGreaterThan(0);
    expect(after).toEqual(before);
    expect(await readFile(join(folder, 'target', 'media', 'ab', MEDIA), 'utf8')).toBe('A picture.');
    const shape = `SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace UNION ALL
      SELECT concat_ws(' ', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal UNION ALL
      SELECT concat_ws(' ', sequencename, last_value) FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`;
    expect(await values(target?.pool as never, shape)).toEqual(await values(source?.pool as never, shape));
  });

  it('refuse a database that is not empty and a file that exists', async () => {
    const again = await run(target, 'target', 'restore', file);
    expect(again.code).toBe(1);
    expect(again.err).toContain('The database is not empty');
    expect((await run(source, 'source', 'backup', file)).err).toContain('Name a new file.');
  });

  it('refuse a file that was cut short, changed, or never was a backup', async () => {
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
      const path = join(folder, name);
      await writeFile(path, content);
      const { code, err } = await run(target, 'target', 'restore', path);
      expect(code, name).toBe(1);
      expect(err, name).toContain('The file is incomplete or was changed.');
    }
  });
});
