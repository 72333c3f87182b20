import { existsSync } from 'node:fs';
import { type BackupReport, backUp } from '../app/backup/back-up.js';
import { checkKey, checkSchema } from '../app/backup/checks.js';
import { Progress } from '../app/backup/progress.js';
import { type BackupStart, load, NotEmptyError, verify } from '../app/backup/restore.js';
import { createLog } from '../app/log.js';
import { prepareDataDir } from '../app/startup/data-dir.js';
import { version } from '../app/version.js';
import type { Config } from '../config.js';
import { copiedTables, firstFilled, hasForeignTables, schemaOf } from '../store/backup/tables.js';
import { connectClient } from '../store/connection/client.js';
import { type Database, openDatabase } from '../store/connection/database.js';
import { install } from '../store/install.js';
import { UsageError } from './usage-error.js';

const progress = () => new Progress((line) => process.stderr.write(line));

/** Writes the database, the files and the wrapped keys to one file. The service may run. */
export async function backupCommand({ databaseUrl, dataDir }: Config, path: string): Promise<number> {
  if (existsSync(path)) throw new UsageError(`${path} exists. Name a new file.`);
  const database = await openDatabase({ databaseUrl, dataDir, log: createLog('error'), attach: true });
  try {
    const client = await connectClient(database.connection);
    try {
      tell(path, await backUp(path, { client, dataDir, release: version, progress: progress() }));
    } finally {
      await client.end();
    }
  } finally {
    await database.stop();
  }
  return 0;
}

function tell(path: string, { at, tables, rows, files, missing, named }: BackupReport): void {
  process.stdout.write(
    `${path} is complete: one snapshot of ${at} with ${rows} rows of ${tables} tables and ${files} files. ` +
      'Keep the master key apart from it.\n',
  );
  if (missing === 0) return;
  const more = missing > named.length ? ', …' : '';
  process.stderr.write(
    `${missing} files of the snapshot are not in DATA_DIR/media: ${named.join(', ')}${more}\n`,
  );
}

/** Loads a backup into an empty database. */
export async function restoreCommand(config: Config, path: string): Promise<number> {
  if (!existsSync(path)) throw new UsageError(`There is no file ${path}.`);
  const { databaseUrl, dataDir, paused } = config;
  const start = await verify(path, progress());
  await checkSchema(start);
  await checkKey(config, start);
  await prepareDataDir(dataDir);
  const database = await openDatabase({ databaseUrl, dataDir, log: createLog('error') });
  try {
    await restoreInto(database, { path, dataDir, start });
  } finally {
    await database.stop();
  }
  process.stdout.write(
    `The backup of ${start.at} is restored. ` +
      (paused === false
        ? 'TRUNKLINE_PAUSED=0 is set: the service works from its first start on.\n'
        : 'The service starts paused until "trunkline resume".\n'),
  );
  return 0;
}

interface Restored {
  readonly path: string;
  readonly dataDir: string;
  readonly start: BackupStart;
}

async function restoreInto(database: Database, { path, dataDir, start }: Restored): Promise<void> {
  const client = await connectClient(database.connection);
  const log = createLog('error');
  try {
    const before = (await schemaOf(client)).length;
    if (before === 0 && (await hasForeignTables(client))) throw new NotEmptyError('it has other tables');
    if (before > start.schema.length)
      throw new NotEmptyError(`it has the tables of schema ${before}, the backup of ${start.schema.length}`);
    // Asked again under the lock of the load; here before tables are added to those of another installation.
    const filled = await firstFilled(client, await copiedTables(client));
    if (filled !== undefined) throw new NotEmptyError(`the table ${filled} has rows`);
    await install(database.pool, { log, release: version, upTo: start.schema.length });
    await load(path, { client, dataDir, progress: progress() });
  } finally {
    await client.end();
  }
  // An older backup; does nothing otherwise. The next start would do the same.
  await install(database.pool, { log, release: version });
}
