import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { readFunctionFiles } from '../function-files.js';
import { type AppliedSchema, pendingFiles, readSchemaFiles } from '../schema-files.js';

/** How the tables and functions of a database compare with those of this version. */
export interface SchemaState {
  /** Number of schema files that ran; 0 for a database without Trunkline's tables. */
  readonly applied: number;
  readonly known: number;
  /** Names of the files that this version would run. */
  readonly pending: readonly string[];
  /** `current` when the functions are those of this version. Otherwise the version that installed them, if any. */
  readonly functions: 'current' | { readonly release: string | undefined };
}

interface Applied extends AppliedSchema {
  readonly functions: { readonly checksum: string; readonly release: string } | null;
}

// The build copies the SQL files next to the compiled module of the folder above.
const OWN_FILES = fileURLToPath(new URL('../', import.meta.url));

/** Reads the state and changes nothing. Throws SchemaTooNewError or SchemaChangedError, as an installation would. */
export async function readSchemaState(pool: Pool, release: string): Promise<SchemaState> {
  const files = await readSchemaFiles(join(OWN_FILES, 'schema'));
  const rows = await readApplied(pool);
  const pending = pendingFiles(files, rows, release).map(({ name }) => name);
  const installed = rows.findLast((row) => row.functions !== null)?.functions ?? undefined;
  const own = readFunctionFiles(join(OWN_FILES, 'functions')).checksum;
  const functions = installed?.checksum === own ? 'current' : { release: installed?.release };
  return { applied: rows.length, known: files.length, pending, functions };
}

async function readApplied(pool: Pool): Promise<Applied[]> {
  const { rows: found } = await pool.query<{ there: boolean }>(
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS there",
  );
  if (found[0]?.there !== true) return [];
  const { rows } = await pool.query<Applied>(
    `SELECT version, works_from, checksum, applied_at, to_jsonb(m) ->> 'release' AS release,
       nullif(to_jsonb(m) -> 'functions', 'null') AS functions
     FROM schema_migrations m ORDER BY version`,
  );
  return rows;
}
