import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupFileError, readContainer } from './container.js';

/** Maximum number of entries of a folder that are checked. */
const MAX_ENTRIES = 10_000;

/** The file itself, or the newest backup in a folder. Raises an error when the folder contains none. */
export async function newestBackup(path: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return path;
  const names = (await readdir(path)).filter((name) => !name.endsWith('.part')).slice(0, MAX_ENTRIES);
  let newest: { path: string; at: string } | undefined;
  for (const name of names) {
    const at = await momentOf(join(path, name));
    if (at !== undefined && (newest === undefined || at > newest.at)) newest = { path: join(path, name), at };
  }
  if (newest === undefined) throw new Error(`There is no backup in ${path}.`);
  return newest.path;
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
