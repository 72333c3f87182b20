import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConfigurationError } from '../../config.js';

/**
 * Creates DATA_DIR with its parents and checks that this process can write to it. Raises ConfigurationError.
 *
 * Each folder is created by a separate call. A recursive mkdir of Node never returns on file systems that refuse new folders
 * with ENOENT, such as /proc.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const folder = resolve(dataDir);
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigurationError(
      `DATA_DIR ${folder} can't be used (${code}). Set it to a folder that this user may create and write.`,
    );
  }
}

async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  try {
    // The embedded database may run as another user, which must be able to enter the folder.
    await mkdir(folder, { mode: 0o755 });
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) throw Object.assign(new Error(`${path} is a file.`), { code: 'ENOTDIR' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
