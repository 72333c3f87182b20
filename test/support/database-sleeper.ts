import { createPool } from '../../src/store/connection/pools.js';
import { silentLog } from './log.js';

// A process that holds a lock in a statement that never ends. Arguments: folder of the server's socket, name of the database.
const [host = '', database = ''] = process.argv.slice(2);

const pool = createPool({ host, user: 'trunkline', database, max: 1 }, silentLog);
await pool.query('SELECT pg_advisory_lock(42), pg_sleep(3600)');
