import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = /^trunkline-(?:rehearsal|restore)-(\d{1,10})-/;

/** Makes a folder that this process alone reads. What killed processes left is removed first. */
export async function makeTemporaryFolder(purpose: 'rehearsal' | 'restore'): Promise<string> {
  await removeAbandoned();
  return mkdtemp(join(tmpdir(), `trunkline-${purpose}-${process.pid}-`));
}

/** A killed process leaves its folder. A server in it ended with the process. */
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
    // A process of another user is there as well.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
