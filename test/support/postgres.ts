import { randomBytes } from 'node:crypto';
import type { ClientConfig, Pool } from 'pg';
import { afterAll, inject } from 'vitest';
import { connectClient } from '../../src/store/connection/client.js';
import { createPatientPool, createPool } from '../../src/store/connection/pools.js';
import type {} from './global-postgres.js';
import { silentLog } from './log.js';
import { adminOf, ensureTemplate, startTestServer, TEMPLATE, type TestServer } from './postgres-server.js';

/** A database of its own for a test or a file of tests. */
export interface TestDatabase {
  connection: ClientConfig;
  /** The same as an address, for child processes. */
  url: string;
  pool: Pool;
  openQueuePool(listeners: number): Pool;
  /** Cuts all connections to this database, as a restart of the server does. */
  cutConnections(): Promise<void>;
  /** Ends the pool and drops the database. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Without any table, for tests of the installer. */
  empty?: boolean;
}

/** Makes a fresh database, by copying the migrated template. */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const host = inject('postgresHost') ?? (await ownServer()).host;
  if (!options.empty) await ensureTemplateOnce(host);
  const database = `test_${randomBytes(8).toString('hex')}`;
  const source = options.empty ? 'template1' : TEMPLATE;
  // Copying files is several times faster here than writing the copy to the log.
  await asAdmin(host, `CREATE DATABASE ${database} OWNER trunkline TEMPLATE ${source} STRATEGY FILE_COPY`);
  const connection = { host, user: 'trunkline', database };
  const pool = createPool({ ...connection, max: 10 }, silentLog);
  return {
    connection,
    url: `postgres://trunkline@localhost/${database}?host=${encodeURIComponent(host)}`,
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
      await asAdmin(host, `DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

async function asAdmin(host: string, statement: string): Promise<void> {
  const client = await connectClient(adminOf(host));
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

let template: Promise<void> | undefined;

function ensureTemplateOnce(host: string): Promise<void> {
  template ??= ensureTemplate(host);
  return template;
}

let started: Promise<TestServer> | undefined;

// Where the project has no globalSetup: a server for the file of tests that asks first.
function ownServer(): Promise<TestServer> {
  started ??= startTestServer();
  return started;
}

// Registered before the hooks of the file, and so run after them.
afterAll(async () => {
  await (await started)?.stop();
});
