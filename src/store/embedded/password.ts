import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const FILE = 'database.password';
const BYTES = 24;

/** The password of the database's roles in `dataDir`. Undefined when there is none, or when this user may not read it. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(resolve(dataDir), FILE), 'utf8').catch(() => undefined);
  return text?.trim() || undefined;
}

/** The password in `dataDir`, which is created when it is missing. The file belongs to the user that runs the service. */
export async function ensurePassword(dataDir: string): Promise<{ password: string; isNew: boolean }> {
  const known = await readPassword(dataDir);
  if (known !== undefined) return { password: known, isNew: false };
  const file = join(resolve(dataDir), FILE);
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  await writeFile(draft, `${randomBytes(BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  // A link does not replace an existing file, so two processes that start together both use the password of the first.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return { password: (await readFile(file, 'utf8')).trim(), isNew: true };
}
