import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Log } from '../../core/common/log.js';
import { endSessions, makeScratchDatabase } from '../../store/backup/scratch-database.js';
import { type Database, openDatabase } from '../../store/connection/database.js';
import { makeTemporaryFolder } from './temporary-folder.js';

/** A temporary database. */
export interface ScratchPlace {
  readonly kind: 'server' | 'embedded';
  readonly database: Database;
  /** Ends the sessions of the database and removes it with all its files. */
  remove(): Promise<void>;
}

export interface ScratchOptions {
  readonly databaseUrl: string | undefined;
  /** Use an embedded server even if DATABASE_URL is set. */
  readonly embedded: boolean;
  readonly log: Log;
}

/**
 * Uses the server of DATABASE_URL if its role may create databases. Otherwise starts an embedded server in a temporary folder.
 */
export async function openScratchPlace({
  databaseUrl,
  embedded,
  log,
}: ScratchOptions): Promise<ScratchPlace> {
  const scratch =
    databaseUrl === undefined || embedded ? undefined : await makeScratchDatabase(databaseUrl, log);
  if (scratch === undefined) return embeddedPlace(log);
  try {
    const database = await openDatabase({ databaseUrl: scratch.url, dataDir: tmpdir(), log });
    return {
      kind: 'server',
      database,
      remove: async () => {
        // Drop the database first, so that a running statement does not delay the end of the pool.
        await scratch.drop();
        await database.stop().catch(() => undefined);
      },
    };
  } catch (error) {
    await scratch.drop();
    throw error;
  }
}

async function embeddedPlace(log: Log): Promise<ScratchPlace> {
  const folder = await makeTemporaryFolder('rehearsal');
  try {
    const database = await openDatabase({ databaseUrl: undefined, dataDir: folder, log });
    return {
      kind: 'embedded',
      database,
      remove: async () => {
        await endSessions(database.connection).catch(() => undefined);
        await database.stop().catch(() => undefined);
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
