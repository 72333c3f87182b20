import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { SecretLocation } from '../../core/common/secret-box.js';
import {
  FormerMasterKeyNeededError,
  MasterKeyInvalidError,
  MasterKeyMismatchError,
  SecretUnreadableError,
} from './errors.js';
import { AesSecretBox, contextOf, isDerived, keyIdOf } from './secret-box.js';

/** Channel that notifies running processes when the database names another key. */
export const KEY_CHANNEL = 'master_key';

const keyBytes = 32;
const fileName = 'master.key';
const checkText = 'trunkline';
const checkLocation: SecretLocation = { workspaceId: '', rowId: 'installation', field: 'master_key_check' };

export interface MasterKeySource {
  /** The configured key in base64. Undefined: the key is in a file, which is created when it does not exist. */
  readonly configured: string | undefined;
  /** The former key in base64, during its replacement. */
  readonly previous?: string | undefined;
  readonly dataDir: string;
}

/** A box that seals with the master key and also opens with the former one. Raises MasterKeyInvalidError. */
export async function loadSecretBox(source: MasterKeySource): Promise<AesSecretBox> {
  return withFormer(await loadMasterKey(source), source);
}

/** The same, if the master key was set or created before. Raises MasterKeyInvalidError. */
export async function findSecretBox(source: MasterKeySource): Promise<AesSecretBox | undefined> {
  const key = await findMasterKey(source);
  return key && withFormer(key, source);
}

function withFormer(key: Buffer, { previous }: MasterKeySource): AesSecretBox {
  if (previous === undefined) return new AesSecretBox(key);
  return new AesSecretBox(key, parseKey(previous, 'TRUNKLINE_MASTER_KEY_PREVIOUS'));
}

/** The master key of this installation. Raises MasterKeyInvalidError. */
export async function loadMasterKey(source: MasterKeySource): Promise<Buffer> {
  const found = await findMasterKey(source);
  if (found !== undefined) return found;
  const path = join(source.dataDir, fileName);
  return parseKey((await createKeyFile(source.dataDir, path)).trim(), path);
}

/** The master key, if it was set or created before. Raises MasterKeyInvalidError. */
async function findMasterKey({ configured, dataDir }: MasterKeySource): Promise<Buffer | undefined> {
  if (configured !== undefined) return parseKey(configured, 'TRUNKLINE_MASTER_KEY');
  const path = join(dataDir, fileName);
  try {
    return parseKey((await readFile(path, 'utf8')).trim(), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** State of the master keys of the database. */
export interface KeyState {
  /** Id of the key that every process seals with. */
  readonly sealing: Buffer;
  /** Id of the key that a rotation replaces. Null once nothing is sealed under it. */
  readonly former: Buffer | null;
}

/**
 * Checks the keys and resolves with their state. The first key used becomes the key of the database. Call it before anything is
 * sealed or opened. Raises MasterKeyMismatchError unless `box` has the key of this database. Raises FormerMasterKeyNeededError
 * when a rotation is not complete and `box` does not have the former key.
 */
export async function checkMasterKey(pool: Pool, box: AesSecretBox): Promise<KeyState> {
  await pool.query('UPDATE installation SET master_key_check = $1 WHERE master_key_check IS NULL', [
    sealedCheck(box),
  ]);
  if ((await masterKeyFits(pool, box)) !== true) throw new MasterKeyMismatchError();
  const state = await readKeyState(pool);
  if (state === undefined) throw new MasterKeyMismatchError();
  if (state.former !== null && !box.knows(state.former)) throw new FormerMasterKeyNeededError();
  return state;
}

/** Undefined: the database has no key yet. */
export async function readKeyState(pool: Pool): Promise<KeyState | undefined> {
  const { rows } = await pool.query<{ sealed: Buffer | null; former: Buffer | null }>(
    'SELECT master_key_check AS sealed, former_master_key AS former FROM installation',
  );
  const { sealed = null, former = null } = rows[0] ?? {};
  return sealed === null ? undefined : { sealing: keyIdOf(sealed), former };
}

/** Display name of the master key that sealed the check of an installation. */
export function keyNameOf(check: Buffer): string {
  return keyIdOf(check).toString('hex');
}

/** The check by which the database recognises the sealing key. */
export function sealedCheck(box: AesSecretBox): Buffer {
  return box.wrap(Buffer.from(checkText), contextOf(checkLocation));
}

/** Whether `box` has the key of this database. Undefined: the database has no key yet. */
export async function masterKeyFits(pool: Pool, box: AesSecretBox): Promise<boolean | undefined> {
  const { rows } = await pool.query<{ sealed: Buffer | null }>(
    'SELECT master_key_check AS sealed FROM installation',
  );
  const sealed = rows[0]?.sealed;
  return sealed === undefined || sealed === null ? undefined : opensCheck(sealed, box);
}

/** Whether `box` has the key that sealed the check of an installation. */
export function opensCheck(sealed: Buffer, box: AesSecretBox): boolean {
  try {
    // Former releases sealed the check in the same way as values.
    const text = isDerived(sealed)
      ? box.open(sealed, checkLocation)
      : box.unwrap(sealed, contextOf(checkLocation));
    return text.toString() === checkText;
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

// The key is written to a draft and linked into place. When processes start together, one of them wins, and none reads a partial
// key.
async function createKeyFile(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
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
