import type pg from 'pg';
import { quoted } from './tables.js';

/** A table whose number of rows differs from that of the backup. `after` is null when a table that had rows is missing. */
export interface ChangedTable {
  readonly table: string;
  readonly before: number;
  readonly after: number | null;
}

/** Counts the rows of the tables again. */
export async function changedTables(
  client: pg.Client,
  counts: ReadonlyMap<string, number>,
): Promise<{ readonly rows: number; readonly changed: readonly ChangedTable[] }> {
  let rows = 0;
  const changed: ChangedTable[] = [];
  for (const [table, before] of counts) {
    const after = await rowsOf(client, table);
    rows += after ?? 0;
    if ((after ?? 0) !== before) changed.push({ table, before, after });
  }
  return { rows, changed };
}

async function rowsOf(client: pg.Client, table: string): Promise<number | null> {
  const name = `public.${quoted(table)}`;
  const found = await client.query<{ known: boolean }>('SELECT to_regclass($1) IS NOT NULL AS known', [name]);
  if (!found.rows[0]?.known) return null;
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${name}`);
  return Number(rows[0]?.count);
}

/** Descriptions of constraints that are not validated and indexes that are not usable. */
export async function brokenParts(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ part: string }>(`
    SELECT format('the constraint %I of %s is not checked', conname, conrelid::regclass) AS part
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND NOT convalidated
    UNION ALL
    SELECT format('the index %s is not usable', i.indexrelid::regclass)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = 'public'::regnamespace AND NOT (i.indisvalid AND i.indisready)
    ORDER BY 1`);
  return rows.map(({ part }) => part);
}
