import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { PoolClient } from 'pg';

/** Matches the definition of a function. Each statement of a function file defines one. */
const DEFINITION = /^CREATE OR REPLACE FUNCTION (\w+)\s*\(/gm;

/** A trigger of a schema file needs its function before the function files are installed. */
const TRIGGER_FUNCTION = /\bEXECUTE FUNCTION\s+(\w+)\s*\(/g;

/** Body of such a function until then. The trigger changes nothing. */
const PLACEHOLDER = 'BEGIN IF TG_OP = $op$DELETE$op$ THEN RETURN OLD; END IF; RETURN NEW; END';

/** Header line of a function that runs after each installation, because it depends on the installed tables and functions. */
const RUNS_AFTERWARDS = /^-- Runs after each installation\.$/m;

/** Signatures of the functions with these names that this transaction has written. */
const WRITTEN = `
  SELECT oid::regprocedure::text AS signature FROM pg_proc
  WHERE pronamespace = current_schema()::regnamespace AND proname = ANY ($1) AND xmin = pg_current_xact_id()::xid
  ORDER BY 1`;

/** Signatures of this list that still exist, and every placeholder that no file has replaced. */
const LEFT_OVER = `
  SELECT oid::regprocedure::text AS signature FROM pg_proc
  WHERE pronamespace = current_schema()::regnamespace AND (oid::regprocedure::text = ANY ($1) OR prosrc = $2)`;

export interface FunctionFile {
  /** Path relative to the folder of all functions, with slashes: `messages/accept_messages.sql`. */
  readonly path: string;
  readonly sql: string;
}

/** All function files of a version. */
export interface FunctionSet {
  readonly files: readonly FunctionFile[];
  /** One checksum of all paths and contents. */
  readonly checksum: string;
}

/** The record in a database of its installed functions. */
export interface InstalledFunctions {
  readonly checksum: string;
  /** The version of Trunkline that installed them. */
  readonly release: string;
  readonly signatures: readonly string[];
}

/** The files of a folder and its subfolders, sorted by path. Synchronous reads are the fastest for some hundred small files. */
export function readFunctionFiles(directory: string): FunctionSet {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const files = paths
    .filter((path) => path.endsWith('.sql'))
    .sort()
    .map((path) => readFunctionFile(directory, path));
  const hash = createHash('sha256');
  for (const { path, sql } of files) hash.update(`${path} ${sql.length}\n`).update(sql);
  return { files, checksum: hash.digest('hex') };
}

function readFunctionFile(directory: string, path: string): FunctionFile {
  // A checkout on Windows must not change the checksum.
  const sql = readFileSync(join(directory, path), 'utf8').replaceAll('\r\n', '\n');
  return { path: path.split(sep).join('/'), sql };
}

/** The function names that a file defines, in the order of the file. */
function functionNames({ sql }: FunctionFile): string[] {
  return [...sql.matchAll(DEFINITION)].map(([, name]) => name ?? '');
}

/** Declares the trigger functions that `schema` names and that do not exist. They do nothing until their file is installed. */
export async function declareTriggerFunctions(client: PoolClient, schema: string): Promise<void> {
  const names = new Set([...schema.matchAll(TRIGGER_FUNCTION)].map(([, name]) => name ?? ''));
  if (names.size === 0) return;
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name WHERE to_regprocedure(name || '()') IS NULL`,
    [[...names]],
  );
  for (const { name } of rows)
    await client.query(
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $body$${PLACEHOLDER}$body$`,
    );
}

/**
 * Installs all files in the transaction of `client` and drops the functions of `before` that no file defines any more.
 * Bodies are not checked against each other, so that the order of the files does not matter. Resolves with the signatures.
 */
export async function installFunctions(
  client: PoolClient,
  { files }: FunctionSet,
  before: readonly string[],
): Promise<string[]> {
  await client.query('SET LOCAL check_function_bodies = off');
  for (const file of files) await installFile(client, file);
  const names = files.flatMap(functionNames);
  const { rows } = await client.query<{ signature: string }>(WRITTEN, [names]);
  const signatures = rows.map(({ signature }) => signature);
  await dropLeftOver(
    client,
    before.filter((signature) => !signatures.includes(signature)),
  );
  const afterwards = files.filter(({ sql }) => RUNS_AFTERWARDS.test(sql));
  for (const file of afterwards) await call(client, functionNames(file).at(-1) ?? '');
  return signatures;
}

/** Runs one file. An error names the file and, where PostgreSQL reports it, the line. */
export async function installFile(client: PoolClient, { path, sql }: FunctionFile): Promise<void> {
  try {
    await client.query(sql);
  } catch (cause) {
    const { code, message, position, detail, hint } = cause as Error & Record<string, string | undefined>;
    const line = position === undefined ? '' : `:${sql.slice(0, Number(position)).split('\n').length}`;
    const more = [detail, hint].filter((text) => text !== undefined).map((text) => ` ${text}`);
    throw Object.assign(new Error(`functions/${path}${line}: ${message}.${more.join('')}`, { cause }), {
      code,
    });
  }
}

async function dropLeftOver(client: PoolClient, signatures: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(LEFT_OVER, [signatures, PLACEHOLDER]);
  for (const { signature } of rows) {
    try {
      await client.query(`DROP FUNCTION ${signature}`);
    } catch (cause) {
      const { code, message, detail } = cause as Error & Record<string, string | undefined>;
      throw Object.assign(
        new Error(`No file in functions/ defines ${signature}: ${message}. ${detail ?? ''}`.trimEnd(), {
          cause,
        }),
        { code },
      );
    }
  }
}

async function call(client: PoolClient, name: string): Promise<void> {
  // The role that reads lists may not exist. An operator can create it later.
  await client.query(
    `DO $$ BEGIN PERFORM ${name}(); EXCEPTION WHEN undefined_object THEN RAISE NOTICE '%', SQLERRM; END $$`,
  );
}
