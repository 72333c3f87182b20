import type { Pool, PoolClient } from 'pg';
import { SecretUnreadableError } from './errors.js';
import { checkMasterKey, KEY_CHANNEL, type KeyState, sealedCheck } from './master-key.js';
import { type SealedColumn, type SealedValue, sealedColumns } from './sealed-columns.js';
import { type AesSecretBox, keyIdOf } from './secret-box.js';

/** The stored values of one kind, by the key that they are sealed under. */
export interface ColumnCount {
  readonly name: string;
  readonly current: number;
  readonly other: number;
}

export interface Rotation {
  /** `nothing`: the key is the one of the database already. */
  readonly outcome: 'rotated' | 'nothing' | 'unreadable';
  readonly sealedAgain: number;
  /** So many values were opened with the new key alone. */
  readonly proven: number;
  /** The first of those that can't be read. */
  readonly unreadable: readonly string[];
}

/** Another process rotates the master key. */
class RotationRunningError extends Error {
  override readonly name = 'RotationRunningError';

  constructor() {
    super('Another process rotates the master key. Wait until it has ended.');
  }
}

/** The order of the steps. A kill between any two of them leaves a state from which the next run goes on. */
const BEGIN = `
  WITH begun AS (
    UPDATE installation SET former_master_key = substring(master_key_check from 2 for 8), master_key_check = $1,
      retired_master_keys = array_remove(retired_master_keys, $2)
    WHERE substring(master_key_check from 2 for 8) <> $2 RETURNING 1
  ) SELECT pg_notify('${KEY_CHANNEL}', '') FROM begun`;
const RETIRE = `
  UPDATE installation SET retired_master_keys = retired_master_keys || former_master_key
  WHERE former_master_key IS NOT NULL AND NOT former_master_key = ANY (retired_master_keys)`;
const END = 'UPDATE installation SET former_master_key = NULL WHERE former_master_key IS NOT NULL';
/** Once the former key is retired, only what was written before is left. */
const PASSES = 5;
const NAMED = 20;

/**
 * Seals everything again under the key that seals in `box`, while processes run. `alone` has this key only. Raises
 * MasterKeyMismatchError, FormerMasterKeyNeededError and RotationRunningError.
 */
export async function rotateMasterKey(pool: Pool, box: AesSecretBox, alone: AesSecretBox): Promise<Rotation> {
  return exclusively(pool, async () => {
    const state = await checkMasterKey(pool, box);
    if (isSettled(state, box)) return { outcome: 'nothing', sealedAgain: 0, ...(await prove(pool, alone)) };
    await pool.query(BEGIN, [sealedCheck(box), box.keyId]);
    let sealedAgain = await sealAll(pool, box);
    await pool.query(RETIRE);
    for (let pass = 0; pass < PASSES; pass += 1) {
      const more = await sealAll(pool, box);
      sealedAgain += more;
      if (more === 0) break;
    }
    const { proven, unreadable } = await prove(pool, alone);
    if (unreadable.length > 0) return { outcome: 'unreadable', sealedAgain, proven, unreadable };
    await pool.query(END);
    return { outcome: 'rotated', sealedAgain, proven, unreadable };
  });
}

/** Whether nothing needs another key than the one that seals in `box`. */
export function isSettled({ sealing, former }: KeyState, box: AesSecretBox): boolean {
  return former === null && sealing.equals(box.keyId);
}

/** How many values are sealed under the key that seals in `box`, and under others. */
export async function countSealed(pool: Pool, box: AesSecretBox): Promise<ColumnCount[]> {
  const counts: ColumnCount[] = [];
  for (const column of sealedColumns) {
    let [current, other] = [0, 0];
    for await (const page of column.pages(pool)) {
      const under = page.filter(({ sealed }) => keyIdOf(sealed).equals(box.keyId)).length;
      current += under;
      other += page.length - under;
    }
    counts.push({ name: column.name, current, other });
  }
  return counts;
}

async function sealAll(pool: Pool, box: AesSecretBox): Promise<number> {
  let count = 0;
  for (const column of sealedColumns) {
    for await (const page of column.pages(pool)) {
      for (const value of page) if (await sealAgain(pool, box, column, value)) count += 1;
    }
  }
  return count;
}

async function sealAgain(pool: Pool, box: AesSecretBox, column: SealedColumn, value: SealedValue) {
  if (keyIdOf(value.sealed).equals(box.keyId)) return false;
  try {
    const plain = box.open(value.sealed, value.place);
    return await column.replace(pool, value, box.seal(plain, value.place));
  } catch (error) {
    // The proof names it.
    if (error instanceof SecretUnreadableError) return false;
    throw error;
  }
}

async function prove(pool: Pool, alone: AesSecretBox): Promise<Pick<Rotation, 'proven' | 'unreadable'>> {
  let proven = 0;
  const unreadable: string[] = [];
  for (const column of sealedColumns) {
    for await (const page of column.pages(pool)) {
      const failed = page.filter(({ sealed, place }) => !opens(alone, sealed, place));
      proven += page.length - failed.length;
      unreadable.push(...failed.slice(0, NAMED - unreadable.length).map(({ name }) => name));
    }
  }
  return { proven, unreadable };
}

function opens(box: AesSecretBox, sealed: Buffer, place: SealedValue['place']): boolean {
  try {
    box.open(sealed, place);
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadableError) return false;
    throw error;
  }
}

/** One rotation at a time. The lock ends with the connection, so that a killed one does not keep it. */
async function exclusively<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const client: PoolClient = await pool.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_lock(hashtext('trunkline master key')) AS taken`,
    );
    if (rows[0]?.taken !== true) throw new RotationRunningError();
    return await work();
  } finally {
    // Thrown away: with it ends the lock.
    client.release(true);
  }
}
