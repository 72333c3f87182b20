import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { DiskFiles } from '../../media/disk-files.js';
import { copyOut } from '../../store/backup/copy.js';
import {
  type BackupClient,
  copiedTables,
  keyCheckOf,
  quoted,
  schemaOf,
  sequenceValues,
} from '../../store/backup/tables.js';
import { type PartHeader, streamContainer, writeContainer } from './container.js';
import type { Progress } from './progress.js';

/** Number of media rows per query. */
const PAGE = 1_000;
/** Maximum number of missing files that a report names. */
const MAX_NAMED = 20;
/** Names come from users of platforms. Unprintable characters are replaced, because a terminal would interpret them. */
const UNPRINTABLE = /\p{C}/gu;

export interface BackupWork {
  readonly client: BackupClient;
  readonly dataDir: string;
  readonly release: string;
  readonly progress: Progress;
}

/** The contents of a backup. */
export interface BackupReport {
  /** Time of the snapshot. */
  at: string;
  tables: number;
  rows: number;
  files: number;
  /** Number of files that rows reference but that do not exist. */
  missing: number;
  /** The first missing files, each with its id and its name. */
  readonly named: string[];
}

interface WrittenPart {
  readonly header: PartHeader;
  readonly chunks: AsyncIterable<Buffer>;
}

/** Writes a snapshot of the database, and the files that it references, to a new file or to a stream. */
export async function backUp(target: string | Writable, work: BackupWork): Promise<BackupReport> {
  const { client } = work;
  const report: BackupReport = { at: '', tables: 0, rows: 0, files: 0, missing: 0, named: [] };
  await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const parts = partsOf(work, report);
  await (typeof target === 'string' ? writeContainer(target, parts) : streamContainer(target, parts));
  await client.query('COMMIT');
  return report;
}

async function* partsOf(work: BackupWork, report: BackupReport): AsyncGenerator<WrittenPart> {
  const { client, release, progress } = work;
  const schema = await schemaOf(client);
  if (schema.length === 0)
    throw new Error('The database has no tables of Trunkline. Check DATABASE_URL and DATA_DIR.');
  const { rows } = await client.query<{ at: Date }>('SELECT now() AS at');
  report.at = rows[0]?.at.toISOString() ?? '';
  const tables = await copiedTables(client);
  const keyCheck = (await keyCheckOf(client))?.toString('base64') ?? null;
  yield partOf({ kind: 'backup', release, at: report.at, schema, keyCheck });
  const counts: Record<string, number> = {};
  for (const { name, columns } of tables) {
    progress.begin(`table ${name}`);
    const list = columns.map(quoted).join(', ');
    const text = `COPY (SELECT ${list} FROM public.${quoted(name)}) TO STDOUT`;
    const chunks = copyOut(client, text, (copied) => {
      counts[name] = copied;
      report.rows += copied;
    });
    yield { header: { kind: 'table', name, columns }, chunks: progress.counted(chunks) };
    report.tables += 1;
  }
  yield* filesOf(work, report);
  // Read the sequences last, so that values used since the snapshot are not assigned again.
  yield partOf({ kind: 'end', counts, sequences: await sequenceValues(client) });
}

function partOf(header: PartHeader): WrittenPart {
  return { header, chunks: Readable.from([]) };
}

/** The files of the rows in the snapshot. A file that is removed during the backup can still be read once it is open. */
async function* filesOf(
  { client, dataDir, progress }: BackupWork,
  report: BackupReport,
): AsyncGenerator<WrittenPart> {
  progress.begin('media');
  const files = new DiskFiles(join(dataDir, 'media'));
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await client.query<{ id: string; name: string | null; expected: boolean }>(
      `SELECT id, name, state = 'ready' AND removed_at IS NULL AS expected FROM media WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
      [after],
    );
    for (const { id, name, expected } of rows) {
      const file = await openFile((await files.find(id))?.path);
      if (file !== undefined) {
        report.files += 1;
        yield { header: { kind: 'media', id }, chunks: progress.counted(file.createReadStream()) };
      } else if (expected) {
        report.missing += 1;
        if (report.named.length < MAX_NAMED) report.named.push(labelOf(id, name));
      }
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? after;
  }
}

function labelOf(id: string, name: string | null): string {
  return name === null ? id : `${id} (${name.replace(UNPRINTABLE, '?')})`;
}

async function openFile(path: string | undefined): Promise<FileHandle | undefined> {
  if (path === undefined) return undefined;
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
