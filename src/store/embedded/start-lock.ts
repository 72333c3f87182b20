import { link, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessMark, thisProcess } from './processes.js';
import { readIfPresent } from './read-if-present.js';

const FILE = 'starting.json';
const POLL_MS = 50;

/**
 * Runs `work` while no other process starts a server in `root`. Concurrent starts would change the owner and the access rules
 * of the folder under each other, and both could fail. The data does not depend on this lock, because PostgreSQL has its own.
 */
export async function whileStartingAlone<T>(root: string, work: () => Promise<T>): Promise<T> {
  const file = join(root, FILE);
  await acquire(file);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function acquire(file: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(thisProcess()), { mode: 0o644 });
  try {
    // A link appears with its contents, or not at all.
    while (!(await linked(draft, file))) {
      if (await isHeld(file)) await sleep(POLL_MS);
      else await removeAbandoned(file);
    }
  } finally {
    await rm(draft, { force: true });
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the process that holds the lock is running. A killed process leaves the file behind. */
async function isHeld(file: string): Promise<boolean> {
  const text = await readIfPresent(file);
  return text !== undefined && isRunning(JSON.parse(text) as ProcessMark);
}

/** Removes the lock of a killed process. Another process may have replaced it since it was read: then it is put back. */
async function removeAbandoned(file: string): Promise<void> {
  const moved = `${file}.${process.pid}.old`;
  try {
    await rename(file, moved);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (await isHeld(moved)) await linked(moved, file);
  await rm(moved, { force: true });
}
