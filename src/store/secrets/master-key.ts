import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { SecretBox, SecretPlace } from '../../core/common/secret-box.js';
import { MasterKeyInvalidError, MasterKeyMismatchError, SecretUnreadableError } from './errors.js';

const keyBytes = 32;
const fileName = 'master.key';
const checkText = 'trunkline';
const checkPlace: SecretPlace = { workspaceId: '', rowId: 'installation', field: 'master_key_check' };

export interface MasterKeySource {
  /** The configured key in base64; undefined: the file, which is made when it does not exist. */
  readonly configured: string | undefined;
  readonly dataDir: string;
}

/** The master key of this installation. Raises MasterKeyInvalidError. */
export async function loadMasterKey(source: MasterKeySource): Promise<Buffer> {
  const found = await findMasterKey(source);
  if (found !== undefined) return found;
  const path = join(source.dataDir, fileName);
  return parseKey((await createKeyFile(source.dataDir, path)).trim(), path);
}

/** The master key, if it was set or made already. Raises MasterKeyInvalidError. */
export async function findMasterKey({ configured, dataDir }: MasterKeySource): Promise<Buffer | undefined> {
  if (configured !== undefined) return parseKey(configured, 'TRUNKLINE_MASTER_KEY');
  const path = join(dataDir, fileName);
  try {
    return parseKey((await readFile(path, 'utf8')).trim(), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Raises MasterKeyMismatchError unless `box` has the key of this database; the first key used becomes it. Call it
 * before anything is sealed or opened.
 */
export async function checkMasterKey(pool: Pool, box: SecretBox): Promise<void> {
  await pool.query('UPDATE installation SET master_key_check = $1 WHERE master_key_check IS NULL', [
    box.seal(checkText, checkPlace),
  ]);
  if ((await masterKeyFits(pool, box)) !== true) throw new MasterKeyMismatchError();
}

/** Whether `box` has the key of this database. Undefined: the database has not met any key yet. */
export async function masterKeyFits(pool: Pool, box: SecretBox): Promise<boolean | undefined> {
  const { rows } = await pool.query<{ sealed: Buffer | null }>(
    'SELECT master_key_check AS sealed FROM installation',
  );
  const sealed = rows[0]?.sealed;
  return sealed === undefined || sealed === null ? undefined : opensCheck(sealed, box);
}

/** Whether `box` has the key that sealed the check of an installation. */
export function opensCheck(sealed: Buffer, box: SecretBox): boolean {
  try {
    return box.open(sealed, checkPlace) === checkText;
  } catch (error) {
    if (error instanceof SecretUnreadableError) return false;
    throw error;
  }
}

function parseKey(text: string, where: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length !== keyBytes || key.toString('base64') !== text) throw new MasterKeyInvalidError(where);
  return key;
}

// Written aside and linked into place: of processes that start together one wins, and none reads half a key.
async function createKeyFile(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  await writeFile(draft, `${randomBytes(keyBytes).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  try {
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft);
  }
  return readFile(path, 'utf8');
}
