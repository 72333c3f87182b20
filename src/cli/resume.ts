import { createLog } from '../app/log.js';
import { version } from '../app/version.js';
import type { Config } from '../config.js';
import { openDatabase } from '../store/connection/database.js';
import { install } from '../store/install.js';
import { Installation } from '../store/maintenance/installation.js';

/** Marks this database as the real one. Paused processes start to work, and later starts are not paused. */
export async function resumeCommand({ databaseUrl, dataDir }: Config): Promise<number> {
  const log = createLog('error');
  const database = await openDatabase({ databaseUrl, dataDir, log, attach: true });
  try {
    await install(database.pool, { log, release: version });
    await new Installation(database.pool, database.location).adopt();
    process.stdout.write('This database is the one of the installation. Paused processes work now.\n');
    return 0;
  } finally {
    await database.stop();
  }
}
