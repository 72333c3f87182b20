import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Log } from '../../core/common/log.js';
import { connectClient } from '../connection/client.js';
import { reachServer, type ServerConnection } from '../connection/server.js';
import { quoted } from './tables.js';

const PREFIX = 'trunkline_rehearsal_';
const NAME = `^${PREFIX}[0-9a-f]{16}$`;
/** SQLSTATE insufficient_privilege, object_in_use, invalid_catalog_name. */
const NOT_ALLOWED = '42501';
const IN_USE = '55006';
const GONE = '3D000';

/** An empty database on the server of another one. */
export interface ScratchDatabase {
  readonly name: string;
  readonly url: string;
  /** Ends its sessions and removes it. */
  drop(): Promise<void>;
}

/**
 * Creates an empty database on the server of `databaseUrl`, and removes databases that killed processes left there. Undefined
 * when the role may not create databases. The session that creates a database stays open and has its name, so a database without
 * such a session is abandoned.
 */
export async function makeScratchDatabase(
  databaseUrl: string,
  log: Log,
): Promise<ScratchDatabase | undefined> {
  const connection = await reachServer(databaseUrl, log);
  const name = `${PREFIX}${randomBytes(8).toString('hex')}`;
  const session = await connectClient({ ...connection, application_name: name });
  try {
    await removeAbandoned(session);
    await session.query(`CREATE DATABASE ${quoted(name)} TEMPLATE template0 ENCODING 'UTF8'`);
  } catch (error) {
    await session.end();
    if ((error as { code?: string }).code === NOT_ALLOWED) return undefined;
    throw error;
  }
  return { name, url: addressWith(databaseUrl, name), drop: () => drop(session, connection, name) };
}

function addressWith(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function removeAbandoned(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT d.datname AS name FROM pg_database d
     WHERE d.datname ~ $1 AND d.datdba = (SELECT oid FROM pg_roles WHERE rolname = current_user)
       AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.application_name = d.datname)`,
    [NAME],
  );
  for (const { name } of rows) {
    try {
      // Without FORCE, because a database with sessions is in use after all.
      await session.query(`DROP DATABASE ${quoted(name)}`);
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (code !== IN_USE && code !== GONE) throw error;
    }
  }
}

/** Ends all other sessions of this role in a database, so that work that is still running does not delay its removal. */
export async function endSessions(connection: ServerConnection): Promise<void> {
  const client = await connectClient(connection);
  try {
    await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`);
  } finally {
    await client.end();
  }
}

/** Drops a database. Connects again when the session was lost. */
async function drop(session: pg.Client, connection: ServerConnection, name: string): Promise<void> {
  const statement = `DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`;
  try {
    await session.query(statement);
  } catch {
    const again = await connectClient(connection);
    await again.query(statement).finally(() => again.end());
  } finally {
    await session.end().catch(() => undefined);
  }
}
