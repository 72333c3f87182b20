import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Pool, PoolClient } from 'pg';
import type { Log } from '../core/common/log.js';
import {
  declareTriggerFunctions,
  type FunctionSet,
  type InstalledFunctions,
  installedOids,
  installFunctions,
  readFunctionFiles,
} from './function-files.js';
import { type AppliedSchema, pendingFiles, readSchemaFiles, type SchemaFile } from './schema-files.js';

/** Key of the advisory lock that keeps two processes from installing at once. Any fixed number works. */
const LOCK_KEY = 7_478_156_301;

/**
 * A step waits for a lock for less time than PostgreSQL's deadlock timeout of one second. Then it releases all its locks and
 * starts again. In a deadlock, the running release therefore never loses, and no statement queues behind the step for long.
 */
const LOCK_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';
const AGAIN_MS = 250;
const MAX_TRIES = 400;

// The build copies the SQL files next to the compiled module, so this holds in src and in dist.
const OWN_FILES = fileURLToPath(new URL('./', import.meta.url));

/** Tables of early builds lack these columns. */
const ADD_COLUMNS = `ALTER TABLE schema_migrations
  ADD COLUMN IF NOT EXISTS release text, ADD COLUMN IF NOT EXISTS functions jsonb`;

export interface InstallOptions {
  log: Log;
  /** Version of Trunkline that installs. Each step records it, for the error message that refuses a database. */
  release: string;
  /** Stop after this schema file and install no functions. A restore loads an older backup into that schema. */
  upTo?: number;
  /** Folder that contains `schema/` and `functions/`. Default: the folder of this version. */
  directory?: string;
}

/** The work of one transaction: a schema file, the functions, or the last schema file with the functions. */
interface Step {
  readonly file: SchemaFile | undefined;
  readonly functions: FunctionSet | undefined;
}

interface Applied extends AppliedSchema {
  /** The functions that were installed for this schema; null when none were. */
  readonly functions: InstalledFunctions | null;
}

/**
 * Migrates the database to this version: runs the pending schema files in order, then installs the functions if any differs.
 * Resolves with the number of schema files that ran.
 *
 * Each schema file is one transaction. The functions are installed in the transaction of the last one, so that no process sees
 * new tables with old functions. Processes that start at once take turns. A database with a newer schema is not changed when each
 * newer file works with this version. Throws SchemaTooNewError when a newer file does not, and SchemaChangedError when a file
 * that ran differs. Neither error changes the database.
 */
export async function install(pool: Pool, options: InstallOptions): Promise<number> {
  const directory = options.directory ?? OWN_FILES;
  const files = await readSchemaFiles(join(directory, 'schema'));
  const functions = readFunctionFiles(join(directory, 'functions'));
  const client = await pool.connect();
  try {
    // Another process may be installing, and a change of a large table can take a long time.
    await client.query('SET lock_timeout = 0; SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    const applied = await readApplied(client);
    const pending = pendingFiles(files, applied, options.release);
    const newest = applied.at(-1)?.version ?? 0;
    if (newest > files.length) {
      options.log.warn({ schema: newest, known: files.length }, 'schema.newer_than_this_version');
      return 0;
    }
    const before = applied.findLast((row) => row.functions !== null)?.functions ?? undefined;
    const { upTo = files.length } = options;
    const steps =
      upTo < files.length
        ? pending.slice(0, Math.max(0, upTo - newest)).map((file) => ({ file, functions: undefined }))
        : planSteps(pending, functions, before, options);
    if (steps.length > 0) await client.query(ADD_COLUMNS);
    const functionsBefore = await installedOids(client, before?.signatures ?? []);
    for (const step of steps) await perform(client, step, functionsBefore, options);
    return steps.filter(({ file }) => file !== undefined).length;
  } finally {
    // Ends the session and releases the lock, even when a failed file left the session in an unknown state.
    client.release(true);
  }
}

/** The checksums of the schema files of this version. */
export async function knownSchema(): Promise<readonly string[]> {
  return (await readSchemaFiles(join(OWN_FILES, 'schema'))).map(({ checksum }) => checksum);
}

async function readApplied(client: PoolClient): Promise<Applied[]> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY,
      name text NOT NULL,
      works_from integer NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`);
  const { rows } = await client.query<Applied>(
    `SELECT version, works_from, checksum, applied_at, to_jsonb(m) ->> 'release' AS release,
       nullif(to_jsonb(m) -> 'functions', 'null') AS functions
     FROM schema_migrations m ORDER BY version`,
  );
  return rows;
}

function planSteps(
  pending: readonly SchemaFile[],
  functions: FunctionSet,
  before: InstalledFunctions | undefined,
  { log, release }: InstallOptions,
): Step[] {
  if (pending.length > 0)
    return pending.map((file) => ({ file, functions: file === pending.at(-1) ? functions : undefined }));
  if (before?.checksum === functions.checksum) return [];
  if (before !== undefined && isNewer(before.release, release)) {
    log.warn({ installed: before.release, release }, 'functions.newer_than_this_version');
    return [];
  }
  return [{ file: undefined, functions }];
}

/** Whether one version is newer than another. Versions that are not three numbers are not compared. */
function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number));
  if (a === undefined || b === undefined) return false;
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

/** Performs one step. Retries it while another session, such as an older release that is running, holds a lock that it needs. */
async function perform(
  client: PoolClient,
  step: Step,
  before: readonly number[],
  options: InstallOptions,
): Promise<void> {
  const startedAt = Date.now();
  for (let tries = 1; !(await tryOnce(client, step, before, options, tries < MAX_TRIES)); tries += 1)
    await sleep(AGAIN_MS);
  const durationMs = Date.now() - startedAt;
  if (step.file !== undefined) options.log.info({ migration: step.file.name, durationMs }, 'schema.migrated');
  if (step.functions !== undefined)
    options.log.info({ files: step.functions.files.length, durationMs }, 'functions.installed');
}

/** Whether the step was performed. False when another session holds a lock that the step needs and `mayGiveWay` is set. */
async function tryOnce(
  client: PoolClient,
  { file, functions }: Step,
  before: readonly number[],
  { release }: InstallOptions,
  mayGiveWay: boolean,
): Promise<boolean> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    if (file !== undefined) await runSchemaFile(client, file, release);
    if (functions !== undefined) {
      const signatures = await installFunctions(client, functions, before);
      await recordFunctions(client, { checksum: functions.checksum, release, signatures });
    }
    await client.query('COMMIT');
    return true;
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => undefined);
    if (mayGiveWay && (cause as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw cause;
  }
}

async function runSchemaFile(client: PoolClient, file: SchemaFile, release: string): Promise<void> {
  const { version, name, worksFrom, checksum, sql } = file;
  try {
    await declareTriggerFunctions(client, sql);
    await client.query(sql);
  } catch (cause) {
    const { code, message } = cause as Error & { code?: string };
    throw Object.assign(new Error(`The schema file ${name} failed: ${message}`, { cause }), { code });
  }
  await client.query(
    'INSERT INTO schema_migrations (version, name, works_from, checksum, release) VALUES ($1, $2, $3, $4, $5)',
    [version, name, worksFrom, checksum, release],
  );
}

/** Records the functions with the newest schema version. */
async function recordFunctions(client: PoolClient, functions: InstalledFunctions): Promise<void> {
  await client.query(
    'UPDATE schema_migrations SET functions = $1 WHERE version = (SELECT max(version) FROM schema_migrations)',
    [JSON.stringify(functions)],
  );
}
