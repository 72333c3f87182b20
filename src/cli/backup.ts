import { createWriteStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type BackupReport, backUp } from '../app/backup/back-up.js';
import { checkKey, checkSchema } from '../app/backup/checks.js';
import { Progress } from '../app/backup/progress.js';
import { type BackupStart, filledBy, load, NotEmptyError, verify } from '../app/backup/restore.js';
import { makeTemporaryFolder } from '../app/backup/temporary-folder.js';
import { createLog } from '../app/log.js';
import { prepareDataDir } from '../app/startup/data-dir.js';
import { version } from '../app/version.js';
import type { Config } from '../config.js';
import {
  type BackupClient,
  copiedTables,
  firstFilled,
  hasForeignTables,
  schemaOf,
  serviceSessions,
} from '../store/backup/tables.js';
import { connectClient } from '../store/connection/client.js';
import { type Database, openDatabase } from '../store/connection/database.js';
import { install } from '../store/install.js';
import { reportFailedBackup } from '../store/maintenance/service-faults.js';
import { amount } from './amount.js';
import { UsageError } from './usage-error.js';

/** Stands for standard input or standard output instead of a file. */
const STANDARD = '-';

const progress = () => new Progress((line) => process.stderr.write(line));

/** Writes the database, the files and the wrapped keys to one file, or to standard output. The service may run. */
export async function backupCommand({ databaseUrl, dataDir }: Config, path: string): Promise<number> {
  const streams = path === STANDARD;
  if (streams && process.stdout.isTTY)
    throw new UsageError('Standard output is a terminal. Send it to a file or to another program.');
  if (!streams && existsSync(path)) throw new UsageError(`${path} exists. Name a new file.`);
  const database = await openDatabase({ databaseUrl, dataDir, log: createLog('error'), attach: true });
  try {
    const client = await connectClient(database.connection);
    try {
      const work = { client, dataDir, release: version, progress: progress() };
      const made = await backUp(streams ? process.stdout : path, work);
      tell(streams ? 'The backup' : path, made, streams ? process.stderr : process.stdout);
    } finally {
      await client.end();
    }
  } catch (error) {
    await report(database, error);
    throw error;
  } finally {
    await database.stop();
  }
  return 0;
}

/** Reports the failure as an event. It uses another connection, because the transaction of the backup's connection has failed. */
async function report({ pool }: Database, error: unknown): Promise<void> {
  try {
    await reportFailedBackup(pool, error);
  } catch (cause) {
    process.stderr.write(
      `The failure could not be reported as an event: ${cause instanceof Error ? cause.message : String(cause)}\n`,
    );
  }
}

function tell(name: string, report: BackupReport, out: NodeJS.WritableStream): void {
  const { at, tables, rows, files, missing, named } = report;
  out.write(
    `${name} is complete: one snapshot of ${at} with ${amount(rows, 'row')} of ${amount(tables, 'table')} and ` +
      `${amount(files, 'file')}. ` +
      'Keep the master key apart from it.\n',
  );
  if (missing === 0) return;
  const more = missing > named.length ? ', …' : '';
  process.stderr.write(
    `${amount(missing, 'file')} of the snapshot ${missing === 1 ? 'is' : 'are'} not in DATA_DIR/media: ` +
      `${named.join(', ')}${more}\n`,
  );
}

export interface RestoreOptions {
  /** Remove the present content of the database. */
  readonly replace: boolean;
}

/** Loads a backup into an empty database, or with `replace` into one that has content. */
export async function restoreCommand(config: Config, path: string, options: RestoreOptions): Promise<number> {
  if (path !== STANDARD) {
    if (!existsSync(path)) throw new UsageError(`There is no file ${path}.`);
    return restoreFile(config, path, options);
  }
  if (process.stdin.isTTY) throw new UsageError('Standard input is a terminal. Give it a backup.');
  // All checksums are verified before anything is changed, so the backup is read twice.
  const folder = await makeTemporaryFolder('restore');
  try {
    const copy = join(folder, 'backup');
    await pipeline(process.stdin, createWriteStream(copy, { mode: 0o600 }));
    return await restoreFile(config, copy, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function restoreFile(config: Config, path: string, { replace }: RestoreOptions): Promise<number> {
  const { databaseUrl, dataDir, paused } = config;
  const start = await verify(path, progress());
  await checkSchema(start);
  await checkKey(config, start);
  await prepareDataDir(dataDir);
  const log = createLog('error');
  const database = await openDatabase({ databaseUrl, dataDir, log, applicationName: 'trunkline restore' });
  try {
    await restoreInto(database, { path, dataDir, start, replace });
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
  readonly replace: boolean;
}

async function restoreInto(database: Database, restored: Restored): Promise<void> {
  const { path, dataDir, start, replace } = restored;
  const client = await connectClient(database.connection);
  const log = createLog('error');
  try {
    await checkTarget(client, restored);
    await install(database.pool, { log, release: version, upTo: start.schema.length });
    await load(path, { client, dataDir, progress: progress(), replace });
  } finally {
    await client.end();
  }
  // Migrates the data of an older backup, as the next start would. Does nothing otherwise.
  await install(database.pool, { log, release: version });
}

/** Checks the target before tables are added to it. The load checks it again under its lock. */
async function checkTarget(client: BackupClient, { start, replace }: Restored): Promise<void> {
  const before = (await schemaOf(client)).length;
  if (before === 0 && (await hasForeignTables(client))) throw new NotEmptyError('it has other tables');
  if (before > start.schema.length)
    throw new NotEmptyError(`it has the tables of schema ${before}, the backup of ${start.schema.length}`);
  const filled = await firstFilled(client, await copiedTables(client));
  if (filled === undefined) return;
  if (!replace) throw filledBy(filled);
  // A running service would continue to use cached data of the former rows.
  const sessions = await serviceSessions(client);
  if (sessions > 0)
    throw new Error(
      `Trunkline uses this database (${amount(sessions, 'session')}), and nothing was changed. Stop the service first.`,
    );
}
