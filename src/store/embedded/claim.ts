import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/common/log.js';
import { DatabaseInUseError } from '../errors.js';
import { probeServer } from './probe.js';
import { commandLine, isRunning, type ProcessMark, startMark, thisProcess } from './processes.js';
import { readIfPresent } from './read-if-present.js';

const POLL_MS = 50;
/**
 * After this time, a server without an owner is asked to stop. The kernel stops a server within moments of its owner's death, and
 * an owner signs as soon as its server is up.
 */
const ORPHAN_GRACE_MS = 2_000;
/** A fast shutdown writes a last checkpoint, which can take a long time on a slow disk. */
const SHUTDOWN_LIMIT_MS = 120_000;

interface Postmaster {
  pid: number;
  socketDirectory: string;
}

/**
 * Waits until no server runs on the directory, or throws DatabaseInUseError.
 *
 * A server whose owner was killed is shutting down, so this function waits for it. A server with a live owner is left alone.
 */
export async function waitUntilFree(root: string, log: Log): Promise<void> {
  const startedAt = Date.now();
  let asked = false;
  // A server that is still starting may take any time, and it has no signature yet.
  let acceptingSince = Number.POSITIVE_INFINITY;
  for (;;) {
    const postmaster = await readPostmaster(root);
    if (!postmaster) return;
    const place = await locate(postmaster, root);
    if (place === 'gone') return;
    const waitedMs = Date.now() - startedAt;
    if (place === 'elsewhere' || (await isOwned(root)) || waitedMs > SHUTDOWN_LIMIT_MS) {
      throw new DatabaseInUseError(
        `The database in ${root} is in use by another process. Stop the other Trunkline, or set DATA_DIR to another directory.`,
      );
    }
    if ((await probeServer(postmaster.socketDirectory)) !== 'accepting')
      acceptingSince = Number.POSITIVE_INFINITY;
    else acceptingSince = Math.min(acceptingSince, Date.now());
    if (!asked && Date.now() - acceptingSince > ORPHAN_GRACE_MS) {
      asked = true;
      log.warn({ pid: postmaster.pid }, 'database.orphan_stopped');
      askToStop(postmaster.pid);
    }
    await sleep(POLL_MS);
  }
}

/** The socket folder of the server that another live process runs on the directory, if there is one. */
export async function findRunningServer(root: string): Promise<string | undefined> {
  const postmaster = await readPostmaster(root);
  if (!postmaster || !(await isOwned(root))) return undefined;
  const state = await probeServer(postmaster.socketDirectory);
  return state === 'accepting' ? postmaster.socketDirectory : undefined;
}

/**
 * Records this process as the owner of the server. Call it only once the server is up, so that the loser of a race never signs.
 */
export async function signOwnership(root: string): Promise<void> {
  const file = join(root, 'owner.json');
  await writeFile(`${file}.new`, JSON.stringify(thisProcess()), { mode: 0o644 });
  await rename(`${file}.new`, file);
}

async function isOwned(root: string): Promise<boolean> {
  const text = await readIfPresent(join(root, 'owner.json'));
  return text !== undefined && isRunning(JSON.parse(text) as ProcessMark);
}

// PostgreSQL documents the lines of this file: process id, data directory, start time, port, socket directory.
async function readPostmaster(root: string): Promise<Postmaster | undefined> {
  const lines = (await readIfPresent(join(root, 'data', 'postmaster.pid')))?.split('\n');
  const pid = Number(lines?.[0]);
  if (!lines || !Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, socketDirectory: lines[4] || join(root, 'run') };
}

/**
 * Where the server of a pid file runs: on this machine, elsewhere (its process is not visible but its socket answers), or
 * nowhere.
 */
async function locate(postmaster: Postmaster, root: string): Promise<'here' | 'elsewhere' | 'gone'> {
  if (isServerOf(postmaster.pid, root)) return 'here';
  // It may run in another container on the same volume, whose process ids have no meaning here.
  if ((await probeServer(postmaster.socketDirectory)) !== 'absent') return 'elsewhere';
  // A crash left the file behind. PostgreSQL checks only the process id and would refuse to start when another program has this
  // id now.
  if (startMark(postmaster.pid) !== undefined)
    await rm(join(root, 'data', 'postmaster.pid'), { force: true });
  return 'gone';
}

function askToStop(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    // The process has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function isServerOf(pid: number, root: string): boolean {
  return commandLine(pid)?.includes(join(root, 'data')) ?? false;
}
