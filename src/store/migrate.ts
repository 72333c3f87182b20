import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Pool, PoolClient } from 'pg';
import type { Log } from '../core/ports/log.js';
import { SchemaChangedError, SchemaTooNewError } from './errors.js';

/** Any fixed number will do; it keeps two processes from migrating at once. */
const LOCK_KEY = 7_478_156_301;

/**
 * A migration waits less for a lock than PostgreSQL waits before it looks for a deadlock (a second), then lets go of all it has and
 * begins again: of two that hold each other up it is never the running release that loses, and nobody queues behind it for long.
 */
const LOCK_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';
const AGAIN_MS = 250;
const MOST_TRIES = 400;

// The build copies the SQL files next to the compiled module, so this holds in src and in dist.
const MIGRATIONS = fileURLToPath(new URL('./migrations/', import.meta.url));

/** A table of an early build has no column for the release that ran a migration. */
const RECORD_RELEASES = 'ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS release text';

/** A line of a migration that releases before it can live with: `-- Works from: 0022`, the schema they know. */
const WORKS_FROM = /^-- Works from: (\d{4})$/m;

interface Migration {
  version: number;
  name: string;
  /** The oldest schema whose release works with the database after this migration; its own, unless the file says so. */
  worksFrom: number;
  sql: string;
  checksum: string;
}

interface AppliedMigration {
  version: number;
  name: string;
  works_from: number;
  checksum: string;
  applied_at: Date;
  /** The version of Trunkline that ran it; null where an early build did, which recorded none. */
  release: string | null;
}

export interface MigrateOptions {
  log: Log;
  /** Version of Trunkline that runs the migrations. It is recorded with each, for the message that refuses a database. */
  release: string;
  /** Folder of the `NNNN_name.sql` files; by default the ones of this version. */
  directory?: string;
}

/**
 * Brings the schema up to this version; resolves with the number of migrations that it ran.
 *
 * Each file is one transaction, and processes that start at once take turns. A database that a newer version migrated is
 * left as it is when each of its newer migrations works from this version on. Throws SchemaTooNewError when one does
 * not, SchemaChangedError when an applied file differs; neither touches the database.
 */
export async function migrate(pool: Pool, options: MigrateOptions): Promise<number> {
  const migrations = await readMigrations(options.directory ?? MIGRATIONS);
  const client = await pool.connect();
  try {
    // Another process may be at it for as long as it takes, and a change of a large table takes its time.
    await client.query('SET lock_timeout = 0; SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    const applied = await readApplied(client);
    const pending = selectPending(migrations, applied, options.release);
    const newest = applied.at(-1)?.version ?? 0;
    if (newest > migrations.length)
      options.log.warn({ schema: newest, known: migrations.length }, 'schema.newer_than_this_version');
    if (pending.length > 0) await client.query(RECORD_RELEASES);
    for (const migration of pending) await apply(client, migration, options);
    return pending.length;
  } finally {
    // Ends the session and with it the lock, also when a failed file left the session in a strange state.
    client.release(true);
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(names.map((name) => readMigration(directory, name)));
  migrations.forEach((migration, index) => {
    if (migration.version !== index + 1) {
      throw new Error(`${migration.name}: migrations are numbered from 0001 without gaps or doubles.`);
    }
  });
  return migrations;
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  const version = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
  if (version === undefined) throw new Error(`${name}: a migration is named NNNN_name.sql.`);
  // A checkout on Windows must not look like a change.
  const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n');
  const worksFrom = Number(WORKS_FROM.exec(sql)?.[1] ?? version);
  const checksum = createHash('sha256').update(sql).digest('hex');
  return { version: Number(version), name, worksFrom, sql, checksum };
}

async function readApplied(client: PoolClient): Promise<AppliedMigration[]> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY,
      name text NOT NULL,
      works_from integer NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`);
  const { rows } = await client.query<AppliedMigration>(
    `SELECT version, name, works_from, checksum, applied_at, to_jsonb(m) ->> 'release' AS release
     FROM schema_migrations m ORDER BY version`,
  );
  return rows;
}

function selectPending(migrations: Migration[], applied: AppliedMigration[], release: string): Migration[] {
  const newest = applied.at(-1)?.version ?? 0;
  const newer = applied.filter(({ version }) => version > migrations.length);
  if (newer.some(({ works_from }) => works_from > migrations.length)) {
    throw new SchemaTooNewError(
      `The database has schema ${newest} and this version of Trunkline knows ${migrations.length}. ` +
        'Start the newer version again, or restore a backup from before the upgrade.',
    );
  }
  for (const row of applied.slice(0, migrations.length)) {
    if (migrations[row.version - 1]?.checksum !== row.checksum) {
      throw new SchemaChangedError(refusalOfAnotherBuild(row, release));
    }
  }
  const done = new Set(applied.map((row) => row.version));
  return migrations.filter((migration) => !done.has(migration.version));
}

function refusalOfAnotherBuild(row: AppliedMigration, release: string): string {
  const author =
    row.release === null ? 'an early build of Trunkline' : `another build of Trunkline ${row.release}`;
  const day = row.applied_at.toISOString().slice(0, 10);
  return [
    `The database was set up on ${day} by ${author}, and this build of ${release} cannot use its tables.`,
    'Nothing in it was changed. Before the first release there is no upgrade from one build to the next.',
    'To start over, set DATABASE_URL to an empty database, or DATA_DIR to a new folder for the embedded one.',
    'To keep the data, start the build that ran before; with it you can also export what you need, through the API or with ' +
      '"trunkline users export". See "Builds before the first release" in docs/operations.md.',
  ].join('\n');
}

/** Runs one file; while a release before it works on the same tables, as often as it takes. */
async function apply(client: PoolClient, migration: Migration, options: MigrateOptions): Promise<void> {
  const startedAt = Date.now();
  const record = { ...migration, release: options.release };
  for (let tries = 1; !(await tryOnce(client, record, tries < MOST_TRIES)); tries += 1) await sleep(AGAIN_MS);
  options.log.info({ migration: migration.name, durationMs: Date.now() - startedAt }, 'schema.migrated');
}

/** Whether it ran. False when another session holds a lock that it needs and it `mayGiveWay`. */
async function tryOnce(
  client: PoolClient,
  migration: Migration & { release: string },
  mayGiveWay: boolean,
): Promise<boolean> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    await client.query(migration.sql);
    const { version, name, worksFrom, checksum, release } = migration;
    await client.query(
      'INSERT INTO schema_migrations (version, name, works_from, checksum, release) VALUES ($1, $2, $3, $4, $5)',
      [version, name, worksFrom, checksum, release],
    );
    await client.query('COMMIT');
    return true;
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => undefined);
    if (mayGiveWay && (cause as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw new Error(`The migration ${migration.name} failed: ${(cause as Error).message}`, { cause });
  }
}
