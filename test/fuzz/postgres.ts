import pg from 'pg';
import { adminOf, startTestServer } from '../support/postgres-server.js';

/** A separate database server with one empty database. */
export interface OwnDatabase {
  readonly connection: pg.ClientConfig;
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPostgres(database: string): Promise<OwnDatabase> {
  const { host, stop } = await startTestServer();
  const admin = new pg.Client(adminOf(host));
  await admin.connect();
  await admin.query(`CREATE DATABASE ${database} OWNER trunkline`);
  await admin.end();
  return {
    connection: { host, user: 'trunkline', database },
    url: `postgres://trunkline@localhost/${database}?host=${encodeURIComponent(host)}`,
    stop,
  };
}
