import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SchemaChangedError, SchemaTooNewError } from './errors.js';

/**
 * Marks a schema file that earlier releases can work with. `-- Works from: 0022` names the oldest schema that such a release
 * knows.
 */
const WORKS_FROM = /^-- Works from: (\d{4})$/m;

/** One step in the history of the tables: `schema/NNNN_name.sql`. */
export interface SchemaFile {
  readonly version: number;
  readonly name: string;
  /** The oldest schema whose release works with the database after this file. Default: the version of the file. */
  readonly worksFrom: number;
  readonly sql: string;
  readonly checksum: string;
}

/** A schema file that ran in a database, as the database recorded it. */
export interface AppliedSchema {
  readonly version: number;
  readonly works_from: number;
  readonly checksum: string;
  readonly applied_at: Date;
  /** The version of Trunkline that ran it. Null for an early build, which recorded no version. */
  readonly release: string | null;
}

/** The schema files of a folder in their order. */
export async function readSchemaFiles(directory: string): Promise<SchemaFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  const files = await Promise.all(names.map((name) => readSchemaFile(directory, name)));
  files.forEach((file, index) => {
    if (file.version !== index + 1) {
      throw new Error(`${file.name}: schema files are numbered from 0001 without gaps or doubles.`);
    }
  });
  return files;
}

async function readSchemaFile(directory: string, name: string): Promise<SchemaFile> {
  const version = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
  if (version === undefined) throw new Error(`${name}: a schema file is named NNNN_name.sql.`);
  // A checkout on Windows must not change the checksum.
  const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n');
  const worksFrom = Number(WORKS_FROM.exec(sql)?.[1] ?? version);
  const checksum = createHash('sha256').update(sql).digest('hex');
  return { version: Number(version), name, worksFrom, sql, checksum };
}

/**
 * The files that have not run yet. Throws SchemaTooNewError when a newer file that ran does not work with this version, and
 * SchemaChangedError when a file that ran differs from the one here.
 */
export function pendingFiles(
  files: readonly SchemaFile[],
  applied: readonly AppliedSchema[],
  release: string,
): SchemaFile[] {
  const newest = applied.at(-1)?.version ?? 0;
  const newer = applied.filter(({ version }) => version > files.length);
  if (newer.some(({ works_from }) => works_from > files.length)) {
    throw new SchemaTooNewError(
      `The database has schema ${newest} and this version of Trunkline knows ${files.length}. ` +
        'Start the newer version again, or restore a backup from before the upgrade.',
    );
  }
  for (const row of applied.slice(0, files.length)) {
    if (files[row.version - 1]?.checksum !== row.checksum) {
      throw new SchemaChangedError(refusalOfAnotherBuild(row, release));
    }
  }
  const done = new Set(applied.map((row) => row.version));
  return files.filter((file) => !done.has(file.version));
}

function refusalOfAnotherBuild(row: AppliedSchema, release: string): string {
  const author =
    row.release === null ? 'an early build of Trunkline' : `another build of Trunkline ${row.release}`;
  const day = row.applied_at.toISOString().slice(0, 10);
  return [
    `The database was set up on ${day} by ${author}, and this build of ${release} cannot use its tables.`,
    'Nothing in it was changed. Only builds before 0.2.0, the first release, have tables that cannot be upgraded.',
    'To start over, set DATABASE_URL to an empty database, or DATA_DIR to a new folder for the embedded one.',
    'To keep the data, start the build that ran before; with it you can also export what you need, through the API or with ' +
      '"trunkline users export". See "Builds before the first release" in docs/operations.md.',
  ].join('\n');
}
