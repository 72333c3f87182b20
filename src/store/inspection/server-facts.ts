import type { Pool } from 'pg';

/** Facts about a server, and the limits of this user and this database. */
export interface ServerFacts {
  /** `server_version_num`, such as 180001. */
  readonly version: number;
  readonly version_text: string;
  readonly in_recovery: boolean;
  readonly encoding: string;
  readonly fsync: string;
  readonly full_page_writes: string;
  /** The value in this session. */
  readonly synchronous_commit: string;
  readonly autovacuum: string;
  /** Milliseconds; 0 means none. */
  readonly idle_session_timeout: number;
  readonly transaction_timeout: number;
  /** Maximum number of connections for ordinary users. */
  readonly usable_connections: number;
  /** Number of sessions on the server. */
  readonly taken: number;
  /** The limit of the user or of the database, whichever is lower. Null means none. */
  readonly own_limit: number | null;
}

// Timeouts are read without units. A timeout that an older server does not have counts as none.
const FACTS = `
  SELECT
    current_setting('server_version_num')::int AS version,
    current_setting('server_version') AS version_text,
    pg_is_in_recovery() AS in_recovery,
    current_setting('server_encoding') AS encoding,
    current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS full_page_writes,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('autovacuum') AS autovacuum,
    coalesce((SELECT setting::int FROM pg_settings WHERE name = 'idle_session_timeout'), 0) AS idle_session_timeout,
    coalesce((SELECT setting::int FROM pg_settings WHERE name = 'transaction_timeout'), 0) AS transaction_timeout,
    (SELECT sum(CASE name WHEN 'max_connections' THEN setting::int ELSE -setting::int END)::int FROM pg_settings
     WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')) AS usable_connections,
    (SELECT coalesce(sum(numbackends), 0)::int FROM pg_stat_database) AS taken,
    (SELECT min(max_connections) FROM (
       SELECT rolconnlimit AS max_connections FROM pg_roles WHERE rolname = current_user
       UNION ALL SELECT datconnlimit FROM pg_database WHERE datname = current_database()
     ) limits WHERE max_connections >= 0) AS own_limit`;

export async function readServerFacts(pool: Pool): Promise<ServerFacts> {
  const { rows } = await pool.query<ServerFacts>(FACTS);
  if (rows[0] === undefined) throw new Error('The query of the server settings returned no row.');
  return rows[0];
}

/** The time of the database in milliseconds. */
export async function readTime(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: string }>(
    'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms',
  );
  return Number(rows[0]?.ms);
}
