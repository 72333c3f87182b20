import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { PoolClient } from 'pg';

/** Matches the definition of a function with its parameters. Each statement of a function file defines one. */
const DEFINITION = /^CREATE OR REPLACE FUNCTION (\w+)\s*\(((?:[^()']|'[^']*'|\([^()]*\))*)\)/gm;
/** What may contain a comma within a parameter: a string and what stands in parentheses. */
const NESTED = /'[^']*'|\([^()]*\)/g;
const PARAMETER = /^(?:(IN|OUT|INOUT|VARIADIC)\s+)?(\w+)/;

/** A trigger of a schema file needs its function before the function files are installed. */
const TRIGGER_FUNCTION = /\bEXECUTE FUNCTION\s+(\w+)\s*\(/g;

/** Body of such a function until then. The trigger changes nothing. */
const PLACEHOLDER = 'BEGIN IF TG_OP = $op$DELETE$op$ THEN RETURN OLD; END IF; RETURN NEW; END';

/** Header line of a function that runs after each installation, because it depends on the installed tables and functions. */
const RUNS_AFTERWARDS = /^-- Runs after each installation\.$/m;

/** The functions with these signatures. A schema file may rename a type, which changes signatures but no oid. */
const INSTALLED = `
  SELECT oid FROM pg_proc
  WHERE pronamespace = current_schema()::regnamespace AND oid::regprocedure::text = ANY ($1)`;

/** Those of these functions that have one of these names, with the names of their input parameters. */
const PARAMETERS = `
  SELECT oid::regprocedure::text AS signature, proname AS name, array_to_string(ARRAY(
    SELECT p.name FROM unnest(proargnames, proargmodes) WITH ORDINALITY AS p (name, mode, place)
    WHERE p.mode IS NULL OR p.mode IN ('i', 'b', 'v') ORDER BY p.place), ',') AS parameters
  FROM pg_proc WHERE oid = ANY ($1::oid[]) AND proname = ANY ($2)`;

/** The functions with these names that this transaction has written. */
const WRITTEN = `
  SELECT oid, oid::regprocedure::text AS signature FROM pg_proc
  WHERE pronamespace = current_schema()::regnamespace AND proname = ANY ($1) AND xmin = pg_current_xact_id()::xid
  ORDER BY 2`;

/** Those of these functions that still exist, and every placeholder that no file has replaced. */
const LEFT_OVER = `
  SELECT oid::regprocedure::text AS signature FROM pg_proc
  WHERE pronamespace = current_schema()::regnamespace AND (oid = ANY ($1::oid[]) OR prosrc = $2)`;

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

interface Definition {
  readonly name: string;
  /** The names of the input parameters, separated by commas. */
  readonly parameters: string;
}

/** The functions that a file defines, in the order of the file. */
function definitions({ sql }: FunctionFile): Definition[] {
  return [...sql.matchAll(DEFINITION)].map(([, name = '', list = '']) => ({
    name,
    parameters: inputNames(list).join(','),
  }));
}

function inputNames(list: string): string[] {
  return list
    .replaceAll(NESTED, '')
    .split(',')
    .map((parameter) => PARAMETER.exec(parameter.trim()))
    .filter((match) => match !== null && match[1] !== 'OUT')
    .map((match) => match?.[2] ?? '');
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

/** The oids of the functions with these signatures that exist. */
export async function installedOids(client: PoolClient, signatures: readonly string[]): Promise<number[]> {
  const { rows } = await client.query<{ oid: number }>(INSTALLED, [signatures]);
  return rows.map(({ oid }) => oid);
}

/**
 * Installs all files in the transaction of `client` and drops the functions of `before` that no file defines any more.
 * Bodies are not checked against each other, so that the order of the files does not matter. Resolves with the signatures.
 */
export async function installFunctions(
  client: PoolClient,
  { files }: FunctionSet,
  before: readonly number[],
): Promise<string[]> {
  await client.query('SET LOCAL check_function_bodies = off');
  const defined = files.flatMap(definitions);
  await dropRenamed(client, defined, before);
  for (const file of files) await installFile(client, file);
  const { rows: written } = await client.query<{ oid: number; signature: string }>(WRITTEN, [
    defined.map(({ name }) => name),
  ]);
  const oids = new Set(written.map(({ oid }) => oid));
  await dropLeftOver(
    client,
    before.filter((oid) => !oids.has(oid)),
  );
  const afterwards = files.filter(({ sql }) => RUNS_AFTERWARDS.test(sql));
  for (const file of afterwards) await call(client, definitions(file).at(-1)?.name ?? '');
  return written.map(({ signature }) => signature);
}

/** Drops the functions of `before` whose parameters have other names now. PostgreSQL cannot rename a parameter in place. */
async function dropRenamed(
  client: PoolClient,
  defined: readonly Definition[],
  before: readonly number[],
): Promise<void> {
  const names = defined.map(({ name }) => name);
  const { rows } = await client.query<Definition & { signature: string }>(PARAMETERS, [before, names]);
  const present = new Set(defined.map(({ name, parameters }) => `${name}(${parameters})`));
  for (const { signature, name, parameters } of rows) {
    if (!present.has(`${name}(${parameters})`))
      await drop(client, signature, `The parameters of ${signature} cannot be renamed`);
  }
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

async function dropLeftOver(client: PoolClient, oids: readonly number[]): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(LEFT_OVER, [oids, PLACEHOLDER]);
  for (const { signature } of rows)
    await drop(client, signature, `No file in functions/ defines ${signature}`);
}

/** Drops a function. `problem` begins the error if an object, such as a trigger, depends on the function. */
async function drop(client: PoolClient, signature: string, problem: string): Promise<void> {
  try {
    await client.query(`DROP FUNCTION ${signature}`);
  } catch (cause) {
    const { code, message, detail } = cause as Error & Record<string, string | undefined>;
    throw Object.assign(new Error(`${problem}: ${message}. ${detail ?? ''}`.trimEnd(), { cause }), { code });
  }
}

async function call(client: PoolClient, name: string): Promise<void> {
  // The role that reads lists may not exist. An operator can create it later.
  await client.query(
    `DO $$ BEGIN PERFORM ${name}(); EXCEPTION WHEN undefined_object THEN RAISE NOTICE '%', SQLERRM; END $$`,
  );
}
