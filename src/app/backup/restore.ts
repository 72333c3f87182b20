import { join } from 'node:path';
import { z } from 'zod';
import { DiskFiles } from '../../media/disk-files.js';
import { copyIn } from '../../store/backup/copy.js';
import {
  type BackupClient,
  copiedTables,
  firstFilled,
  markAsCopy,
  passingTables,
  quoted,
  references,
} from '../../store/backup/tables.js';
import { BackupFileError, type Part, readContainer } from './container.js';
import type { Progress } from './progress.js';

const START = z.object({
  release: z.string(),
  at: z.string(),
  /** Checksums of the schema files that were applied. */
  schema: z.array(z.string()).min(1),
  /** A value that was encrypted with the master key, in base64. */
  keyCheck: z.string().nullable(),
});
const TABLE = z.object({ name: z.string(), columns: z.array(z.string()) });
const MEDIA = z.object({ id: z.guid() });
const END = z.object({
  counts: z.record(z.string(), z.number()),
  sequences: z.record(z.string(), z.string()),
});

export type BackupStart = z.infer<typeof START>;

/** Reads the whole file and verifies its checksums. Resolves with the header of the first part. */
export async function verify(path: string, progress: Progress): Promise<BackupStart> {
  progress.begin('checksums');
  let start: BackupStart | undefined;
  for await (const { header, chunks } of readContainer(path)) {
    if (header.kind === 'backup') start = START.parse(header);
    for await (const _ of progress.counted(chunks));
  }
  if (start === undefined) throw new BackupFileError('The file is empty.');
  return start;
}

export interface RestoreWork {
  readonly client: BackupClient;
  /** Folder for the files. If absent, files are only read and verified. */
  readonly dataDir: string | undefined;
  readonly progress: Progress;
  /** Remove the present content of the database in the same transaction. */
  readonly replace?: boolean;
}

/** The result of a load. */
export interface Loaded {
  /** Number of rows per table. */
  readonly tables: ReadonlyMap<string, number>;
  readonly files: number;
}

/** The database has rows. Nothing was changed. */
export class NotEmptyError extends Error {
  override readonly name = 'NotEmptyError';

  constructor(what: string, wayOut = '') {
    super(
      `The database is not empty (${what}), and nothing was changed. Set DATABASE_URL to an empty database, or DATA_DIR ` +
        `to a new folder.${wayOut}`,
    );
  }
}

/** The error for a database with rows. */
export function filledBy(table: string): NotEmptyError {
  return new NotEmptyError(
    `the table ${table} has rows`,
    ' With --replace everything in this database is removed and replaced by the backup.',
  );
}

/**
 * Loads a verified file in one transaction. The database must already have the tables, and they must be empty unless `replace`
 * is set.
 */
export async function load(path: string, work: RestoreWork): Promise<Loaded> {
  const { client } = work;
  let loaded: Loaded;
  await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
  await client.query('SET idle_in_transaction_session_timeout = 0');
  await client.query('BEGIN');
  try {
    const copied = await copiedTables(client);
    const tables = copied.map(({ name }) => `public.${quoted(name)}`);
    // Lock the tables, so that no row is written between the check and the load.
    await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    const filled = work.replace ? undefined : await firstFilled(client, copied);
    if (filled !== undefined) throw filledBy(filled);
    // Disable the triggers, because they refuse to truncate the audit log.
    for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await client.query(`TRUNCATE ${[...tables, ...(await passingTables(client))].join(', ')}`);
    const { drop, add } = await references(client);
    for (const statement of drop) await client.query(statement);
    loaded = await loadParts(path, work);
    work.progress.begin('references');
    // Erasure scans must cover all restored events.
    await client.query(
      'UPDATE erasure_scans SET until = (pg_current_xact_id()::text::bigint + 1)::text::xid8',
    );
    await markAsCopy(client);
    for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    for (const statement of add) await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
  await client.query('ANALYZE');
  return loaded;
}

async function loadParts(path: string, { client, dataDir, progress }: RestoreWork): Promise<Loaded> {
  const disk = dataDir === undefined ? undefined : new DiskFiles(join(dataDir, 'media'));
  let files = 0;
  const loaded = new Map<string, number>();
  for await (const part of readContainer(path)) {
    if (part.header.kind === 'table') {
      const { name, columns } = TABLE.parse(part.header);
      progress.begin(`table ${name}`);
      const text = `COPY public.${quoted(name)} (${columns.map(quoted).join(', ')}) FROM STDIN`;
      loaded.set(name, await copyIn(client, text, progress.counted(part.chunks)));
    }
    // Store files before the rows are committed. A file that no row references is removed after a day.
    if (part.header.kind === 'media') {
      files += 1;
      await keepFile(disk, part, progress);
    }
    if (part.header.kind === 'end') await finish(client, loaded, END.parse(part.header));
  }
  return { tables: loaded, files };
}

async function keepFile(
  disk: DiskFiles | undefined,
  { header, chunks }: Part,
  progress: Progress,
): Promise<void> {
  const { id } = MEDIA.parse(header);
  progress.begin('media');
  const counted = progress.counted(chunks);
  if (disk === undefined) for await (const _ of counted);
  else await disk.keep(await disk.stage(counted, Number.POSITIVE_INFINITY), id);
}

async function finish(
  client: BackupClient,
  loaded: ReadonlyMap<string, number>,
  { counts, sequences }: z.infer<typeof END>,
): Promise<void> {
  for (const [name, count] of Object.entries(counts)) {
    if (loaded.get(name) !== count)
      throw new BackupFileError(`The table ${name} has ${loaded.get(name) ?? 0} rows of ${count}.`);
  }
  for (const [name, value] of Object.entries(sequences))
    await client.query('SELECT setval($1::regclass, $2::bigint)', [`public.${quoted(name)}`, value]);
}
