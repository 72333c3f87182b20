import type pg from 'pg';
import { SERVICE_NAME } from '../connection/database.js';

/** The dedicated connection of a backup or a restore. */
export type BackupClient = pg.Client;

/** A table in a backup. */
export interface CopiedTable {
  readonly name: string;
  /** Without generated columns and columns with transaction numbers, which belong to one server. */
  readonly columns: readonly string[];
}

/**
 * The tables with durable rows. A partitioned table is listed once. Transaction numbers have no meaning on another server, so
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

/** The tables whose rows a restart may lose, quoted. They are not copied, and a restore empties them. */
export async function passingTables(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'u' ORDER BY relname`);
  return rows.map(({ name }) => `public.${quoted(name)}`);
}

/** The number of sessions of services in this database. The caller has another name. */
export async function serviceSessions(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = $1`,
    [SERVICE_NAME],
  );
  return rows[0]?.count ?? 0;
}

/** The last value of each sequence. */
export async function sequenceValues(client: pg.Client): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL`);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** The checksums of the schema files that ran, in their order. Empty for a database without Trunkline's tables. */
export async function schemaOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ known: boolean }>(
    "SELECT to_regclass('public.schema_migrations') IS NOT NULL AS known",
  );
  if (!rows[0]?.known) return [];
  const found = await client.query<{ checksum: string }>(
    'SELECT checksum FROM schema_migrations ORDER BY version',
  );
  return found.rows.map(({ checksum }) => checksum);
}

/** Statements that drop the foreign keys between tables, and statements that add them again. */
export async function references(client: pg.Client): Promise<{ drop: string[]; add: string[] }> {
  const { rows } = await client.query<{ drop: string; add: string }>(`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0
    ORDER BY conrelid::regclass::text, conname`);
  return { drop: rows.map((row) => row.drop), add: rows.map((row) => row.add) };
}

/** The first table with rows other than those that the schema inserts. Undefined in an empty database. */
export async function firstFilled(
  client: pg.Client,
  tables: readonly CopiedTable[],
): Promise<string | undefined> {
  for (const { name, columns } of tables) {
    // A table with exactly one row has it from the beginning.
    if (columns.includes('only_row')) continue;
    const { rowCount } = await client.query(`SELECT FROM public.${quoted(name)} LIMIT 1`);
    if (rowCount) return name;
  }
  return undefined;
}

/** The value that the master key of the database sealed. Null before the first start of the service. */
export async function keyCheckOf(client: pg.Client): Promise<Buffer | null> {
  const { rows } = await client.query<{ sealed: Buffer | null }>(
    'SELECT master_key_check AS sealed FROM installation',
  );
  return rows[0]?.sealed ?? null;
}

/**
 * Gives the database a place that no start matches, so that the service recognises a copy even in the location of the original.
 */
export async function markAsCopy(client: pg.Client): Promise<void> {
  await client.query(`UPDATE installation SET place = coalesce(place, '{}') || '{"table": "restored"}'`);
}

/** Whether the database contains tables. Called when Trunkline's own tables are missing. */
export async function hasForeignTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(`
    SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')) AS found`);
  return rows[0]?.found === true;
}

/** Quotes a name for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
