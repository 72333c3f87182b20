import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DiskFiles } from '../../media/disk-files.js';
import { copyOut } from '../../store/backup/copy.js';
import {
  type BackupClient,
  copiedTables,
  quoted,
  schemaOf,
  sequenceValues,
} from '../../store/backup/tables.js';
import { type PartHeader, writeContainer } from './container.js';

export interface BackupWork {
  readonly client: BackupClient;
  readonly dataDir: string;
  readonly release: string;
  /** Called before each part with what it is. */
  readonly progress: (what: string) => void;
}

interface WrittenPart {
  readonly header: PartHeader;
  readonly chunks: AsyncIterable<Buffer>;
}

/** Writes one moment of the database, and the files that it names. */
export async function backUp(path: string, work: BackupWork): Promise<void> {
  const { client } = work;
  await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await writeContainer(path, partsOf(work));
  await client.query('COMMIT');
}

async function* partsOf({ client, dataDir, release, progress }: BackupWork): AsyncGenerator<WrittenPart> {
  const schema = await schemaOf(client);
  if (schema === 0)
    throw new Error('The database has no tables of Trunkline. Check DATABASE_URL and DATA_DIR.');
  const tables = await copiedTables(client);
  yield {
    header: { kind: 'backup', release, schema, tables: tables.map(({ name }) => name) },
    chunks: Readable.from([]),
  };
  const counts: Record<string, number> = {};
  for (const { name, columns } of tables) {
    progress(name);
    const list = columns.map(quoted).join(', ');
    const text = `COPY (SELECT ${list} FROM public.${quoted(name)}) TO STDOUT`;
    const chunks = copyOut(client, text, (rows) => {
      counts[name] = rows;
    });
    yield { header: { kind: 'table', name, columns }, chunks };
  }
  progress('media');
  const files = new DiskFiles(join(dataDir, 'media'));
  const ids = (await client.query<{ id: string }>('SELECT id FROM media')).rows;
  for (const { id } of ids) {
    // A file may have expired: its row stays.
    const found = await files.find(id);
    if (found !== undefined) yield { header: { kind: 'media', id }, chunks: createReadStream(found.path) };
  }
  // Read last: numbers that were given out since the snapshot are not given out again.
  yield {
    header: { kind: 'end', counts, sequences: await sequenceValues(client) },
    chunks: Readable.from([]),
  };
}
