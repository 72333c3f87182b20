import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createLog } from '../../app/log.js';
import type { Config } from '../../config.js';
import { type Database, openDatabase } from '../../store/connection/database.js';
import { findRunningEmbedded } from '../../store/embedded/start.js';
import {
  DatabaseInUseError,
  DatabaseUnreachableError,
  DatabaseUnsupportedError,
  EmbeddedDatabaseError,
} from '../../store/errors.js';
import { type Finding, problem, warning } from './finding.js';

/** The connection pool of the open database. */
export type Pool = Database['pool'];

const NAME = 'PostgreSQL';
const EXPECTED = [
  DatabaseUnreachableError,
  DatabaseUnsupportedError,
  DatabaseInUseError,
  EmbeddedDatabaseError,
];
const silent = createLog('error', { write: () => undefined });

/** Opens the database without changing its tables. If it can't be opened, a finding says why. */
export async function openForChecks({ databaseUrl, dataDir }: Config): Promise<Database | Finding> {
  if (databaseUrl === undefined && !(await hasCluster(dataDir)))
    return warning(
      NAME,
      `There is no embedded database in ${resolve(dataDir)} yet.`,
      'The first start creates it. Else correct DATA_DIR, or set DATABASE_URL.',
    );
  if (databaseUrl === undefined && (await wouldChangeOwner(dataDir)))
    return warning(
      NAME,
      `${resolve(dataDir)} belongs to another user, and its embedded database does not run.`,
      'Run this command as the user of the service, or while the service runs.',
    );
  try {
    return await openDatabase({ databaseUrl, dataDir, log: silent, attach: true });
  } catch (error) {
    if (!EXPECTED.some((kind) => error instanceof kind)) throw error;
    const fix =
      databaseUrl === undefined
        ? 'See "The embedded database" in docs/operations.md.'
        : 'Start the server, or correct DATABASE_URL.';
    return problem(NAME, (error as Error).message, fix);
  }
}

/** Starting the embedded database would give its files to the current user. The service could not use them afterwards. */
async function wouldChangeOwner(dataDir: string): Promise<boolean> {
  const { uid } = await stat(dataDir);
  return uid !== process.getuid?.() && (await findRunningEmbedded(dataDir)) === undefined;
}

async function hasCluster(dataDir: string): Promise<boolean> {
  return (await stat(join(dataDir, 'postgres')).catch(() => undefined)) !== undefined;
}
