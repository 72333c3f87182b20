import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of src/store/schema or src/store/functions. The path is relative to src/store. */
export interface DatabaseFile {
  readonly path: string;
  readonly sql: string;
}

/** Functions that tables need at their creation: each is the default of a column. */
const DEFAULTS = ['uuid7'];

const DEFINES = /\bCREATE (?:OR REPLACE )?(?:FUNCTION|PROCEDURE) (\w+)/gi;

export function readDatabaseFiles(store: string, folder: 'schema' | 'functions'): DatabaseFile[] {
  const paths = readdirSync(join(store, folder), { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.sql'))
    .sort()
    .map((path) => ({ path: `${folder}/${path}`, sql: readFileSync(join(store, folder, path), 'utf8') }));
}

/** Schema files that define functions other than the defaults of columns. */
export function functionsInSchema(files: readonly DatabaseFile[]): string[] {
  return files.flatMap(({ path, sql }) =>
    definitions(sql)
      .filter((name) => !DEFAULTS.includes(name))
      .map((name) => `${path} defines ${name}: it belongs in functions/`),
  );
}

/** The defects of the function files. */
export function functionFaults(files: readonly DatabaseFile[]): string[] {
  return [...files.flatMap(fileFaults), ...definedTwice(files)];
}

function fileFaults({ path, sql }: DatabaseFile): string[] {
  const faults: string[] = [];
  const [, file = ''] = /^functions\/(?:extras\/)?[a-z-]+\/(\w+)\.sql$/.exec(path) ?? [];
  if (file === '') return [`${path} is not functions/<area>/<function>.sql`];
  const shared = file === '_shared';
  const header = /^(?:--.*\n)+/.exec(sql)?.[0] ?? '';
  if (!/^-- [A-Z]/.test(header)) faults.push(`${path} has no header that says what it promises`);
  if (!shared && !/^-- Returns: \S/m.test(header)) faults.push(`${path} does not say "-- Returns: …"`);
  const statements = code(sql).split(';');
  if (statements.some((one) => one.trim() !== '' && !/^\s*CREATE OR REPLACE FUNCTION \w+/.test(one)))
    faults.push(`${path} holds more than CREATE OR REPLACE FUNCTION`);
  const names = definitions(sql);
  if (!shared && names.at(-1) !== file) faults.push(`${path} does not end with the function ${file}`);
  return [...faults, ...uncommented(path, sql, shared ? undefined : file)];
}

/** Functions without a comment above them. The header of a file is the comment of the function that gives the file its name. */
function uncommented(path: string, sql: string, main: string | undefined): string[] {
  const blocks = [...sql.matchAll(/(?:^|\n)(.*)\nCREATE OR REPLACE FUNCTION (\w+)/g)];
  return blocks
    .filter(([, before = '', name], at) => {
      const overload = blocks.slice(0, at).some(([, , former]) => former === name);
      return name !== main && !overload && !before.startsWith('--');
    })
    .map(([, , name]) => `${path} does not say what ${name} does`);
}

function definedTwice(files: readonly DatabaseFile[]): string[] {
  const homes = new Map<string, Set<string>>();
  for (const { path, sql } of files)
    for (const name of definitions(sql)) homes.set(name, (homes.get(name) ?? new Set()).add(path));
  return [...homes]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `${name} is defined in ${[...paths].join(' and ')}`);
}

function definitions(sql: string): string[] {
  return [...sql.replace(/--.*/g, '').matchAll(DEFINES)].map(([, name]) => name ?? '');
}

/** The text without comments, bodies and other literals. */
function code(sql: string): string {
  return sql.replace(/--.*|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'/g, (found) =>
    found.startsWith('--') ? '' : "''",
  );
}
