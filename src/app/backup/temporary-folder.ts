import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = /^trunkline-(?:rehearsal|restore)-(\d{1,10})-/;

/** Creates a folder that only this user can read. Folders of killed processes are removed first. */
export async function makeTemporaryFolder(purpose: 'rehearsal' | 'restore'): Promise<string> {
  await removeAbandoned();
  return mkdtemp(join(tmpdir(), `trunkline-${purpose}-${process.pid}-`));
}

/** Removes the folders of killed processes. A database server in such a folder ended with its process. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch(() => undefined);
    const isOwn = found?.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
    if (isOwn) await rm(path, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other error means that the process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
