import type { Pool, PoolClient } from 'pg';
import { SecretUnreadableError } from './errors.js';
import { InstallationSecretBox } from './installation-secret-box.js';
import { isReadable } from './is-readable.js';
import { checkMasterKey, KEY_CHANNEL, type KeyState, sealedCheck } from './master-key.js';
import { type SealedColumn, type SealedValue, sealedColumns } from './sealed-columns.js';
import { type AesSecretBox, isDerived, keyIdOf } from './secret-box.js';
import { keyName, unwrapKey, wrapAgain, wrappedKeys } from './workspace-keys.js';

/** The number of stored values of one kind, by the key that seals them. */
export interface ColumnCount {
  readonly name: string;
  readonly current: number;
  readonly other: number;
}

export interface Rotation {
  /** `nothing`: the database already uses this key. */
  readonly outcome: 'rotated' | 'nothing' | 'unreadable';
  /** The number of workspace keys that were wrapped again. */
  readonly wrappedAgain: number;
  /** The number of values of former releases that were sealed again, under the keys of their workspaces. */
  readonly sealedAgain: number;
  /** The number of keys and values that the new key alone opened. */
  readonly proven: number;
  /** Names of the first keys and values that can't be read. */
  readonly unreadable: readonly string[];
}

/** Another process is rotating the master key. */
class RotationRunningError extends Error {
  override readonly name = 'RotationRunningError';

  constructor() {
    super('Another process is rotating the master key. Wait until it has finished.');
  }
}

/** The steps in their order. A kill between any two of them leaves a state from which the next run continues. */
const BEGIN = `
  WITH begun AS (
    UPDATE installation SET former_master_key = substring(master_key_check from 2 for 8), master_key_check = $1,
      retired_master_keys = array_remove(retired_master_keys, $2)
    WHERE substring(master_key_check from 2 for 8) <> $2 RETURNING 1
  ) SELECT pg_notify('${KEY_CHANNEL}', '') FROM begun`;
const RETIRE = `
  UPDATE installation SET retired_master_keys =
    ARRAY(SELECT DISTINCT unnest(retired_master_keys || former_master_key || $1::bytea[]))
  WHERE former_master_key IS NOT NULL`;
const END = 'UPDATE installation SET former_master_key = NULL WHERE former_master_key IS NOT NULL';
/** Maximum number of passes. Once the former key is retired, only values that were written before are left. */
const PASSES = 5;
const MAX_NAMED = 20;

/**
 * Wraps the keys of all workspaces again under the first key of `box`, while processes run. `alone` has only this key. Values
 * that a former release sealed are sealed again under the keys of their workspaces. Raises MasterKeyMismatchError,
 * FormerMasterKeyNeededError and RotationRunningError.
 */
export async function rotateMasterKey(pool: Pool, box: AesSecretBox, alone: AesSecretBox): Promise<Rotation> {
  return exclusively(pool, async () => {
    const state = await checkMasterKey(pool, box);
    if (isSettled(state, box))
      return { outcome: 'nothing', wrappedAgain: 0, sealedAgain: 0, ...(await prove(pool, alone, true)) };
    // When the master key wraps keys and no rotation is open, no value of a former release is left.
    const hasValues = !box.wrapsWith(state.sealing) || state.former !== null;
    await pool.query(BEGIN, [sealedCheck(box), box.wrappingId]);
    let [wrappedAgain, sealedAgain] = await rotateBatch(pool, box, hasValues);
    await pool.query(RETIRE, [box.replacedIds]);
    for (let pass = 0; pass < PASSES; pass += 1) {
      const [wrapped, sealed] = await rotateBatch(pool, box, hasValues);
      wrappedAgain += wrapped;
      sealedAgain += sealed;
      if (wrapped + sealed === 0) break;
    }
    const proof = await prove(pool, alone, hasValues);
    if (proof.unreadable.length > 0) return { outcome: 'unreadable', wrappedAgain, sealedAgain, ...proof };
    await pool.query(END);
    return { outcome: 'rotated', wrappedAgain, sealedAgain, ...proof };
  });
}

/** Whether only the first key of `box` is needed, and no value is from a former release. */
export function isSettled({ sealing, former }: KeyState, box: AesSecretBox): boolean {
  return former === null && sealing.equals(box.wrappingId);
}

/** Whether a key other than the first key of `box` is needed to open all stored values. */
export function needsFormer({ sealing, former }: KeyState, box: AesSecretBox): boolean {
  const own = [box.keyId, box.wrappingId];
  return [sealing, former].some((id) => id !== null && !own.some((mine) => mine.equals(id)));
}

/** Counts the keys by whether the first key of `box` wraps them, and the values by whether these keys seal them. */
export async function countSealed(pool: Pool, box: AesSecretBox): Promise<ColumnCount[]> {
  const wraps = { name: 'workspace_keys.wrapped', current: 0, other: 0 };
  for await (const page of wrappedKeys(pool))
    for (const { wrapped } of page) wraps[keyIdOf(wrapped).equals(box.wrappingId) ? 'current' : 'other'] += 1;
  const counts: ColumnCount[] = [wraps];
  for (const column of sealedColumns) {
    let [current, other] = [0, 0];
    for await (const page of column.pages(pool)) {
      const derived = page.filter(({ sealed }) => isDerived(sealed)).length;
      current += page.length - derived;
      other += derived;
    }
    counts.push({ name: column.name, current, other });
  }
  return counts;
}

/** Wraps keys again and seals values again. Resolves with the number of keys and of values. */
async function rotateBatch(pool: Pool, box: AesSecretBox, hasValues: boolean): Promise<[number, number]> {
  let [wraps, values] = [0, 0];
  for await (const page of wrappedKeys(pool)) wraps += await wrapAgain(pool, box, page);
  if (!hasValues) return [wraps, 0];
  const secrets = new InstallationSecretBox(pool, box);
  for (const column of sealedColumns) {
    for await (const page of column.pages(pool)) {
      for (const value of page) if (await sealAgain(pool, secrets, column, value)) values += 1;
    }
  }
  return [wraps, values];
}

async function sealAgain(
  pool: Pool,
  secrets: InstallationSecretBox,
  column: SealedColumn,
  value: SealedValue,
): Promise<boolean> {
  if (!isDerived(value.sealed)) return false;
  try {
    const plain = await secrets.open(value.sealed, value.place);
    const sealer = await secrets.sealer(value.owner);
    return await column.replace(pool, value, sealer.seal(plain, value.place));
  } catch (error) {
    // The proof reports values that can't be read.
    if (error instanceof SecretUnreadableError) return false;
    throw error;
  }
}

async function prove(pool: Pool, alone: AesSecretBox, withValues: boolean) {
  let proven = 0;
  const unreadable: string[] = [];
  const note = (isRead: boolean, name: string) => {
    if (isRead) proven += 1;
    else if (unreadable.length < MAX_NAMED) unreadable.push(name);
  };
  for await (const page of wrappedKeys(pool))
    for (const row of page) note(await isReadable(() => unwrapKey(alone, row)), keyName(row));
  if (!withValues) return { proven, unreadable };
  const secrets = new InstallationSecretBox(pool, alone);
  for (const column of sealedColumns) {
    for await (const page of column.pages(pool)) {
      for (const { sealed, place, name, isUsed } of page) {
        const isRead = !isDerived(sealed) && (await isReadable(() => secrets.open(sealed, place)));
        if (isRead || isUsed) note(isRead, name);
      }
    }
  }
  return { proven, unreadable };
}

/** Runs one rotation at a time. The lock ends with the connection, so that a killed process does not keep it. */
async function exclusively<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const client: PoolClient = await pool.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_lock(hashtext('trunkline master key')) AS taken`,
    );
    if (rows[0]?.taken !== true) throw new RotationRunningError();
    const result = await work();
    // Unlocks explicitly, because the end of the connection is not awaited and the next rotation may begin at once.
    await client.query(`SELECT pg_advisory_unlock(hashtext('trunkline master key'))`);
    return result;
  } finally {
    // Closes the connection, which releases the lock.
    client.release(true);
  }
}
