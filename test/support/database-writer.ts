import { createPool } from '../../src/store/connection/pools.js';
import { startEmbeddedPostgres } from '../../src/store/embedded/start.js';
import { silentLog } from './log.js';

// A process that runs the embedded database of a directory, writes rows forever and prints each committed one.
// Arguments: the directory, and optionally `idle` to write nothing.
const [dataDir = '', mode] = process.argv.slice(2);

try {
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog });
  const pool = createPool({ ...server.connection, max: 8 }, silentLog);
  await pool.query(
    'CREATE TABLE IF NOT EXISTS written (id bigint GENERATED ALWAYS AS IDENTITY, pid integer)',
  );
  console.log(`ready ${process.getuid?.()}`);
  if (mode === 'idle') await new Promise(() => undefined);
  const write = async () => {
    for (;;) {
      const { rows } = await pool.query('INSERT INTO written (pid) VALUES ($1) RETURNING id', [process.pid]);
      console.log(`committed ${rows[0].id}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
} catch (error) {
  console.log(`failed ${(error as Error).name}: ${(error as Error).message}`);
  process.exitCode = 1;
}
