import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupFileError, readContainer } from './container.js';

const MAX_ENTRIES = 100_000;
/** Number of files that are looked at concurrently. */
const AT_ONCE = 16;
/** Tolerated difference between the clocks of the database and of the file system. */
const SKEW_MS = 86_400_000;

interface Entry {
  readonly path: string;
  /** Position in the folder. */
  readonly place: number;
  /** Last change of the content. Copies may keep it, and programs may set it. */
  readonly writtenMs: number;
  /** Last change of the file on this file system, which is never earlier than the snapshot in it. */
  readonly changedMs: number;
}

/**
 * The file itself, or the newest backup in a folder. Raises an error when the folder contains none, or too many entries
 * to look at them all. Only the file itself says when its snapshot was made. Files that were last changed before the newest
 * snapshot found so far are not opened.
 */
export async function newestBackup(path: string, maxEntries = MAX_ENTRIES): Promise<string> {
  if (!(await stat(path)).isDirectory()) return path;
  const entries = await inGroups(await pathsIn(path, maxEntries), entryOf);
  // Most likely the newest backup was written last.
  const files = entries.filter((entry) => entry !== undefined).sort((a, b) => b.writtenMs - a.writtenMs);
  let newest: { file: Entry; at: string } | undefined;
  // The first one is opened alone, because it usually shows that all others are older.
  for (let first = 0, end = 1; first < files.length; first = end, end += AT_ONCE) {
    const group = files.slice(first, end).filter((file) => !isOlder(file, newest?.at));
    const moments = await Promise.all(group.map(momentOf));
    for (const [index, file] of group.entries()) {
      const at = moments[index];
      if (at === undefined) continue;
      const isNewer = newest === undefined || at > newest.at;
      if (isNewer || (at === newest?.at && file.place < newest.file.place)) newest = { file, at };
    }
  }
  if (newest === undefined) throw new Error(`There is no backup in ${path}.`);
  return newest.file.path;
}

const isOlder = ({ changedMs }: Entry, at: string | undefined): boolean =>
  at !== undefined && changedMs + SKEW_MS < Date.parse(at);

async function pathsIn(folder: string, maxEntries: number): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name } of await opendir(folder)) {
    if (name.endsWith('.part')) continue;
    if (paths.length === maxEntries)
      throw new Error(`${folder} has more than ${maxEntries} entries. Name the file of the backup instead.`);
    paths.push(join(folder, name));
  }
  return paths;
}

async function inGroups<Output>(
  paths: readonly string[],
  inspect: (path: string, place: number) => Promise<Output>,
): Promise<Output[]> {
  const results: Output[] = [];
  for (let first = 0; first < paths.length; first += AT_ONCE) {
    const group = paths.slice(first, first + AT_ONCE);
    results.push(...(await Promise.all(group.map((path, index) => inspect(path, first + index)))));
  }
  return results;
}

async function entryOf(path: string, place: number): Promise<Entry | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  return { path, place, writtenMs: found.mtimeMs, changedMs: found.ctimeMs };
}

/** The time of the snapshot, read from the first part. Undefined for a file that is not a backup. */
async function momentOf({ path }: Entry): Promise<string | undefined> {
  try {
    for await (const { header } of readContainer(path))
      return typeof header.at === 'string' ? header.at : undefined;
  } catch (error) {
    if (!(error instanceof BackupFileError)) throw error;
  }
  return undefined;
}
