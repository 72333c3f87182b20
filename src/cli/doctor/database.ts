import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createLog } from '../../app/log.js';
import type { Config } from '../../config.js';
import { type Database, openDatabase } from '../../store/connection/database.js';
import {
  DatabaseInUseError,
  DatabaseUnreachableError,
  DatabaseUnsupportedError,
  EmbeddedDatabaseError,
} from '../../store/errors.js';
import { type Finding, problem, warning } from './finding.js';

/** Connections of the open database. */
export type Pool = Database['pool'];

const NAME = 'PostgreSQL';
const EXPECTED = [
  DatabaseUnreachableError,
  DatabaseUnsupportedError,
  DatabaseInUseError,
  EmbeddedDatabaseError,
];
const silent = createLog('error', { write: () => undefined });

/** Opens the database without changing its tables. A finding says why it can't be opened. */
export async function openForChecks({ databaseUrl, dataDir }: Config): Promise<Database | Finding> {
  if (databaseUrl === undefined && !(await hasCluster(dataDir)))
    return warning(
      NAME,
      `There is no embedded database in ${resolve(dataDir)} yet.`,
      'The first start creates it. Else correct DATA_DIR, or set DATABASE_URL.',
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

async function hasCluster(dataDir: string): Promise<boolean> {
  return (await stat(join(dataDir, 'postgres')).catch(() => undefined)) !== undefined;
}
