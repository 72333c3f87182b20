import { access, constants, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../../config.js';
import { type Finding, ok, problem, warning } from './finding.js';

const NAME = 'DATA_DIR';
const DISK = 'Disk';
const MIB = 2 ** 20;
/** The limit that `/readyz` uses. */
const MIN_FREE = 64 * MIB;
const LITTLE_FREE = 1_024 * MIB;
const SECRET_FILES = ['master.key', 'database.password'];
const GROUP_AND_OTHERS = 0o077;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/** Checks the folder of the installation: access rights, file modes and free space. */
export async function checkDataDir({ dataDir }: Config): Promise<Finding[]> {
  const folder = resolve(dataDir);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      return [
        warning(NAME, `${folder} does not exist yet.`, 'The first start creates it. Else correct DATA_DIR.'),
      ];
    return [
      problem(
        NAME,
        `${folder} cannot be used (${code}).`,
        'Give it to the user of the service: chown -R <user> on the folder, and mode 700.',
      ),
    ];
  }
  const modes = [...(await folderMode(folder)), ...(await secretModes(folder))];
  return [...(modes.length > 0 ? modes : [ok(NAME, `${folder} can be written.`)]), await freeSpace(folder)];
}

async function folderMode(folder: string): Promise<Finding[]> {
  const { mode } = await stat(folder);
  if ((mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0) return [];
  return [
    problem(
      NAME,
      `Every user of this machine can write to ${folder}.`,
      `Take the right away: chmod o-w ${folder}`,
    ),
  ];
}

async function secretModes(folder: string): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const name of SECRET_FILES) {
    const path = join(folder, name);
    const mode = (await stat(path).catch(() => undefined))?.mode;
    if (mode === undefined || (mode & GROUP_AND_OTHERS) === 0) continue;
    const octal = (mode & 0o777).toString(8);
    found.push(
      problem(
        NAME,
        `Other users of this machine can read ${path} (mode ${octal}).`,
        `Let its owner read it only: chmod 600 ${path}`,
      ),
    );
  }
  return found;
}

async function freeSpace(folder: string): Promise<Finding> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  const free = bavail * bsize;
  const space = `${Math.floor(free / MIB)} MiB are free.`;
  const fix = 'Free or add space. RETAIN_MESSAGES_DAYS limits what is kept.';
  if (files > 0 && ffree === 0) return problem(DISK, 'The disk has no room for another file.', fix);
  if (free < MIN_FREE) return problem(DISK, `${space} With less than 64 MiB the service is not ready.`, fix);
  if (free < LITTLE_FREE) return warning(DISK, space, fix);
  if (files > 0 && ffree < files / 100)
    return warning(
      DISK,
      `${ffree} more files fit on the disk.`,
      'Remove files, or use a disk with more inodes.',
    );
  return ok(DISK, space);
}
