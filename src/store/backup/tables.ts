import type pg from 'pg';

/** The connection that a backup or a restore has for itself. */
export type BackupClient = pg.Client;

/** A table as a backup holds it. */
export interface CopiedTable {
  readonly name: string;
  /** Without the ones that are computed, and those that number transactions of one server. */
  readonly columns: readonly string[];
}

/**
 * The tables with rows that last, each partitioned one as a whole. Transaction numbers mean nothing on another server: the
 * restored rows get the number of the transaction that restores them.
 */
export async function copiedTables(client: pg.Client): Promise<readonly CopiedTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attname) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relpersistence = 'p' AND c.relname <> 'schema_migrations' AND a.attgenerated = ''
      AND a.atttypid NOT IN ('xid8'::regtype, 'pg_snapshot'::regtype)
    GROUP BY c.relname ORDER BY c.relname`);
  return rows;
}

/** The numbers that the sequences gave out last. */
export async function sequenceValues(client: pg.Client): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL`);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** The newest schema file that ran; 0 in a database without tables of ours. */
export async function schemaOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ known: boolean }>(
    "SELECT to_regclass('public.schema_migrations') IS NOT NULL AS known",
  );
  if (!rows[0]?.known) return 0;
  const found = await client.query<{ newest: number }>(
    'SELECT coalesce(max(version), 0) AS newest FROM schema_migrations',
  );
  return found.rows[0]?.newest ?? 0;
}

/** Statements that take the references between tables away, and others that put them back. */
export async function references(client: pg.Client): Promise<{ drop: string[]; add: string[] }> {
  const { rows } = await client.query<{ drop: string; add: string }>(`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0
    ORDER BY conrelid::regclass::text, conname`);
  return { drop: rows.map((row) => row.drop), add: rows.map((row) => row.add) };
}

/** Whether the database has no workspace and no user. */
export async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ used: boolean }>(
    'SELECT EXISTS (SELECT FROM workspaces) OR EXISTS (SELECT FROM users) AS used',
  );
  return rows[0]?.used === false;
}

/** Whether the database has any table. Asked where Trunkline's own are missing. */
export async function hasForeignTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(`
    SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')) AS found`);
  return rows[0]?.found === true;
}

/** Quotes a name for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
