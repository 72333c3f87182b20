import type { Config } from '../config.js';
import { withStore } from './with-store.js';

/** Migrates the database to this version. */
export function migrateCommand(config: Config): Promise<number> {
  return withStore(config, async () => {
    process.stdout.write('The database is up to date.\n');
    return 0;
  });
}
