import type { ClientConfig, Pool } from 'pg';
import { afterAll, inject } from 'vitest';
import { createPatientPool, createPool } from '../../src/store/connection/pools.js';
import type {} from './global-postgres.js';
import type {} from './global-service.js';
import { silentLog } from './log.js';
import {
  addressOf,
  asAdmin,
  createDatabase,
  ensureTemplate,
  startTestServer,
  type TestServer,
} from './postgres-server.js';

/** A separate database for a test or a test file. */
export interface TestDatabase {
  connection: ClientConfig;
  /** The connection as a URL, for child processes. */
  url: string;
  pool: Pool;
  openQueuePool(listeners: number): Pool;
  /** Closes all connections to this database, as a restart of the server does. */
  cutConnections(): Promise<void>;
  /** Ends the pool and drops the database, unless it is shared. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Without any table, for tests of the installer. */
  empty?: boolean;
}

/** Creates a new database as a copy of the migrated template. */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const host = inject('postgresHost') ?? (await ownServer()).host;
  if (!options.empty) await ensureTemplateOnce(host);
  const database = await createDatabase(host, options.empty ? 'template1' : undefined);
  return openDatabase(host, database, () => asAdmin(host, `DROP DATABASE ${database} WITH (FORCE)`));
}

/** The database of the shared service. A test changes only rows of its own workspace. */
export function sharedDatabase(): TestDatabase {
  const host = inject('postgresHost');
  if (host === undefined) throw new Error('This project has no shared PostgreSQL.');
  return openDatabase(host, inject('serviceDatabase'), async () => undefined);
}

function openDatabase(host: string, database: string, remove: () => Promise<unknown>): TestDatabase {
  const connection = { host, user: 'trunkline', database };
  const pool = createPool({ ...connection, max: 10 }, silentLog);
  return {
    connection,
    url: addressOf(host, database),
    pool,
    openQueuePool: (listeners) =>
      createPatientPool(
        {
          ...connection,
          max: 4 + listeners,
          options: '-c search_path=bullmq,public -c synchronous_commit=off',
        },
        silentLog,
      ),
    cutConnections: () =>
      asAdmin(host, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`),
    drop: async () => {
      await pool.end();
      await remove();
    },
  };
}

let template: Promise<void> | undefined;

function ensureTemplateOnce(host: string): Promise<void> {
  template ??= ensureTemplate(host);
  return template;
}

let started: Promise<TestServer> | undefined;

// If the project has no globalSetup: a server for the first test file that asks for it.
function ownServer(): Promise<TestServer> {
  started ??= startTestServer();
  return started;
}

// Registered before the hooks of the file, so that it runs after them.
afterAll(async () => {
  await (await started)?.stop();
});
