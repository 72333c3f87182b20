import { readFile, stat } from 'node:fs/promises';
import { parse, TomlError } from 'smol-toml';
import { ImportError } from '../problem.js';

const MAX_BYTES = 1_048_576;
const MAX_DEPTH = 20;

export type Table = Readonly<Record<string, unknown>>;

/** Reads a TOML file. Raises ImportError. Messages contain no line of the file, because it may have a token. */
export async function readToml(file: string): Promise<Table> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(`${file} can't be read (${error.code}).`);
  });
  if (!found.isFile()) throw new ImportError(`${file} is not a file.`);
  if (found.size > MAX_BYTES) throw new ImportError(`${file} has more than ${MAX_BYTES} bytes.`);
  return parseToml(file, await readFile(file, 'utf8'));
}

export function parseToml(file: string, text: string): Table {
  try {
    return parse(text, { unsafeKeyBehaviour: 'throw', maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new ImportError(`${file}:${error.line}: This is not valid TOML (column ${error.column}).`);
  }
}

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** A field of a table. Names are not case-sensitive, as in matterbridge. */
export function fieldOf(table: Table, name: string): unknown {
  const wanted = name.toLowerCase();
  return Object.entries(table).find(([each]) => each.toLowerCase() === wanted)?.[1];
}
