import { existsSync } from 'node:fs';
import { backUp } from '../app/backup/back-up.js';
import { load, verify } from '../app/backup/restore.js';
import { createLog } from '../app/log.js';
import { prepareDataDir } from '../app/startup/data-dir.js';
import { version } from '../app/version.js';
import type { Config } from '../config.js';
import { hasForeignTables, isEmpty, schemaOf } from '../store/backup/tables.js';
import { connectClient } from '../store/connection/client.js';
import { type Database, openDatabase } from '../store/connection/database.js';
import { install } from '../store/install.js';
import { UsageError } from './usage-error.js';

/** Writes the database, the files and the wrapped keys to one file. The service may run. */
export async function backupCommand({ databaseUrl, dataDir }: Config, path: string): Promise<number> {
  if (existsSync(path)) throw new UsageError(`${path} exists. Name a new file.`);
  const database = await openDatabase({ databaseUrl, dataDir, log: createLog('error'), attach: true });
  try {
    const client = await connectClient(database.connection);
    try {
      await backUp(path, { client, dataDir, release: version, progress });
    } finally {
      await client.end();
    }
  } finally {
    await database.stop();
  }
  process.stdout.write(`${path} is complete. Keep the master key apart from it.\n`);
  return 0;
}

/** Loads a backup into an empty database. */
export async function restoreCommand({ databaseUrl, dataDir }: Config, path: string): Promise<number> {
  if (!existsSync(path)) throw new UsageError(`There is no file ${path}.`);
  progress('checksums');
  const { schema, release } = await verify(path);
  await prepareDataDir(dataDir);
  const database = await openDatabase({ databaseUrl, dataDir, log: createLog('error') });
  try {
    await restoreInto(database, { path, dataDir, schema, release });
  } finally {
    await database.stop();
  }
  process.stdout.write('The backup is restored. The service starts paused until "trunkline resume".\n');
  return 0;
}

interface Restored {
  readonly path: string;
  readonly dataDir: string;
  readonly schema: number;
  readonly release: string;
}

async function restoreInto(database: Database, { path, dataDir, schema, release }: Restored): Promise<void> {
  const client = await connectClient(database.connection);
  try {
    if ((await schemaOf(client)) === 0 && (await hasForeignTables(client))) throw notEmpty();
    await install(database.pool, { log: createLog('error'), release: version });
    const own = await schemaOf(client);
    if (schema !== own)
      throw new Error(
        `The backup has schema ${schema}, and the database has ${own}. Restore it with Trunkline ${release}` +
          `${schema < own ? ', then start this version' : ' or newer'}.`,
      );
    if (!(await isEmpty(client))) throw notEmpty();
    await load(path, { client, dataDir, progress });
  } finally {
    await client.end();
  }
}

function notEmpty(): Error {
  return new Error(
    'The database is not empty, and nothing was changed. Set DATABASE_URL to an empty database, or DATA_DIR to a new folder.',
  );
}

/** On a terminal, one line that changes. */
function progress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${what}\r`);
}
