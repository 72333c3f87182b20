import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedDatabaseError } from '../errors.js';
import { giveTo, type LaunchPrefix } from './launch-prefix.js';

/** The limit of a Unix socket's address, with its terminating zero: 108 bytes on Linux, 104 on macOS. */
const ADDRESS_BYTES = process.platform === 'darwin' ? 104 : 108;
const SOCKET_NAME = '.s.PGSQL.5432';

/**
 * Creates the private folder of the server's socket: `root/run`, or a short path in `/tmp` when the address of the socket would
 * be too long.
 */
export async function makeSocketDirectory(root: string, owner: LaunchPrefix['owner']): Promise<string> {
  const near = join(root, 'run');
  const directory = fits(near) ? near : shortDirectory(root);
  const created = await mkdir(directory, { recursive: true, mode: 0o700 });
  // Every user can create folders in /tmp, including one with this name.
  if (created === undefined && directory !== near && !(await isOurs(directory, owner))) {
    throw new EmbeddedDatabaseError(`The folder ${directory} belongs to another user. Remove it.`);
  }
  await chmod(directory, 0o700);
  await giveTo(directory, owner);
  return directory;
}

/** The server's socket in its folder. */
export function socketPath(directory: string): string {
  return join(directory, SOCKET_NAME);
}

/** Removes a short folder after the stop of its server; `root/run` stays. */
export async function removeShortDirectory(root: string): Promise<void> {
  if (!fits(join(root, 'run'))) await rm(shortDirectory(root), { recursive: true, force: true });
}

function shortDirectory(root: string): string {
  return join('/tmp', `trunkline-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
}

async function isOurs(directory: string, owner: LaunchPrefix['owner']): Promise<boolean> {
  const { uid } = await lstat(directory);
  return uid === process.getuid?.() || uid === owner?.uid;
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, SOCKET_NAME)) < ADDRESS_BYTES;
}
