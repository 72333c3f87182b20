import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupFileError, readContainer } from './container.js';

/** Maximum number of entries of a folder. Each is opened, because neither its name nor its date says when the snapshot was made. */
const MAX_ENTRIES = 100_000;

/**
 * The file itself, or the newest backup in a folder. Raises an error when the folder contains none, or too many entries
 * to read them all.
 */
export async function newestBackup(path: string, maxEntries = MAX_ENTRIES): Promise<string> {
  if (!(await stat(path)).isDirectory()) return path;
  const names = await namesIn(path, maxEntries);
  let newest: { path: string; at: string } | undefined;
  for (const name of names) {
    const at = await momentOf(join(path, name));
    if (at !== undefined && (newest === undefined || at > newest.at)) newest = { path: join(path, name), at };
  }
  if (newest === undefined) throw new Error(`There is no backup in ${path}.`);
  return newest.path;
}

async function namesIn(folder: string, maxEntries: number): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder)) {
    if (name.endsWith('.part')) continue;
    if (names.length === maxEntries)
      throw new Error(`${folder} has more than ${maxEntries} entries. Name the file of the backup instead.`);
    names.push(name);
  }
  return names;
}

/** The time of the snapshot, read from the first part. Undefined for a file that is not a backup. */
async function momentOf(path: string): Promise<string | undefined> {
  if (!(await stat(path).catch(() => undefined))?.isFile()) return undefined;
  try {
    for await (const { header } of readContainer(path))
      return typeof header.at === 'string' ? header.at : undefined;
  } catch (error) {
    if (!(error instanceof BackupFileError)) throw error;
  }
  return undefined;
}
