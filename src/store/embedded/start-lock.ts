import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMark } from './processes.js';

const FILE = 'starting.json';
const POLL_MS = 50;

interface Holder {
  pid: number;
  startMark: string | undefined;
}

/**
 * Runs `work` while no other process starts a server in `root`. Two starts at once would each change the owner and the access
 * rules of the folder, and both might fail. The data does not depend on this lock, because PostgreSQL has its own.
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
  const self: Holder = { pid: process.pid, startMark: startMark(process.pid) };
  await writeFile(draft, JSON.stringify(self));
  try {
    // A link appears together with its contents, or not at all.
    while (!(await linked(draft, file))) {
      if (await isHeld(file)) await sleep(POLL_MS);
      else await rm(file, { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
}

async function linked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the process that holds the lock is alive. A killed process leaves the lock behind. */
async function isHeld(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const holder = JSON.parse(text) as Holder;
  const mark = startMark(holder.pid);
  return mark !== undefined && mark === holder.startMark;
}
