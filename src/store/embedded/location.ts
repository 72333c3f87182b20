import { createHash } from 'node:crypto';
import { access, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DatabaseLocation } from '../maintenance/installation.js';

/** Created by initdb and never replaced by the server, so their inodes change only when the files are copied. */
const MARKED_FILES = ['PG_VERSION', 'base', 'global'];

/**
 * Identifies the location of the embedded database of `dataDir`. A copy of its files has other inodes, even under the same path
 * on another machine. The path and the host name are not part of it.
 */
export async function embeddedLocation(dataDir: string): Promise<DatabaseLocation> {
  const data = join(resolve(dataDir), 'postgres', 'data');
  const inodes = await Promise.all(
    MARKED_FILES.map(async (name) => (await stat(join(data, name), { bigint: true })).ino),
  );
  const machine = await machineId();
  return { files: digest(inodes.join(' ')), ...(machine !== undefined && { machine: digest(machine) }) };
}

/**
 * Distinguishes this machine from one that was started from a copy of its disk. Not used in a container, where it would identify
 * the image.
 */
async function machineId(): Promise<string | undefined> {
  // This folder exists where systemd is the first process.
  if (!(await isPresent('/run/systemd/system'))) return undefined;
  const id = (await readFile('/etc/machine-id', 'utf8').catch(() => '')).trim();
  return /^[0-9a-f]{32}$/.test(id) ? id : undefined;
}

async function isPresent(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function digest(text: string): string {
  return createHash('sha256').update(`trunkline place ${text}`).digest('hex').slice(0, 32);
}
