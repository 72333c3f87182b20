import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg, { type ClientConfig } from 'pg';
import { prepareQueueSchema } from '../../src/queue/postgres-backend.js';
import { connectClient } from '../../src/store/connection/client.js';
import { createPool } from '../../src/store/connection/pools.js';
import { startEmbeddedPostgres } from '../../src/store/embedded/start.js';
import { install } from '../../src/store/install.js';
import { silentLog } from './log.js';
import { startSystemPostgres } from './system-postgres.js';

/** The database that test databases are copied from, with the installed schema and the queue's tables. */
const TEMPLATE = 'trunkline_template';

/** A temporary server for tests, with the program and settings of production but without fsync. */
export interface TestServer {
  /** Folder of its socket. */
  host: string;
  stop(): Promise<void>;
}

const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300', max_wal_size: '4GB' };

/** Linux keeps this folder in memory. */
const MEMORY_FOLDER = '/dev/shm';
/** A whole run needs at most a quarter of it. */
const MEMORY_BYTES = 8 * 1024 ** 3;

/** A folder in memory if the machine has enough: copying the 1,500 files of the template then takes a twentieth of the time. */
async function serverFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MEMORY_BYTES ? MEMORY_FOLDER : tmpdir();
}

/** The embedded server, or the PostgreSQL with its programs in the folder TEST_POSTGRES_BIN. */
export async function startTestServer(): Promise<TestServer> {
  const dataDir = await mkdtemp(join(await serverFolder(), 'trunkline-test-'));
  const { TEST_POSTGRES_BIN: bin } = process.env;
  const server = bin
    ? await startSystemPostgres(bin, dataDir, { settings: SETTINGS })
    : await startEmbeddedPostgres({ dataDir, log: silentLog, settings: SETTINGS, trustClients: true });
  return {
    host: server.connection.host ?? '',
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates the template. Several processes may call it at once. */
export async function ensureTemplate(host: string): Promise<void> {
  const admin = new pg.Client(adminOf(host));
  await admin.connect();
  try {
    await admin.query('SELECT pg_advisory_lock(1)');
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rowCount) return;
    const draft = `${TEMPLATE}_draft`;
    await admin.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${draft} OWNER trunkline`);
    const pool = createPool({ host, user: 'trunkline', database: draft, max: 2 }, silentLog);
    try {
      await install(pool, { log: silentLog, release: 'test' });
      await prepareQueueSchema(pool);
    } finally {
      await pool.end();
    }
    await admin.query(`ALTER DATABASE ${draft} RENAME TO ${TEMPLATE}`);
  } finally {
    await admin.end();
  }
}

/** Creates a database as a copy of the template, or an empty one. Returns its name. */
export async function createDatabase(host: string, source = TEMPLATE): Promise<string> {
  const database = `test_${randomBytes(8).toString('hex')}`;
  // Copying files is several times faster here than writing the copy to the WAL.
  await asAdmin(host, `CREATE DATABASE ${database} OWNER trunkline TEMPLATE ${source} STRATEGY FILE_COPY`);
  return database;
}

/** The address of a database, for child processes. */
export function addressOf(host: string, database: string): string {
  return `postgres://trunkline@localhost/${database}?host=${encodeURIComponent(host)}`;
}

export async function asAdmin(host: string, statement: string): Promise<void> {
  const client = await connectClient(adminOf(host));
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export function adminOf(host: string): ClientConfig {
  return { host, user: 'postgres', database: 'postgres' };
}
