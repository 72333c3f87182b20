import type { Config } from '../config.js';
import { withStore } from './with-store.js';

/** Brings the database up to date. */
export function migrateCommand(config: Config): Promise<number> {
  return withStore(config, async () => {
    process.stdout.write('The database is up to date.\n');
    return 0;
  });
}
