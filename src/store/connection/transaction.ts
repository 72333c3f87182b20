import type { Pool, PoolClient } from 'pg';
import { currentActor } from '../../core/access/acting.js';
import { currentReader } from '../../core/access/reading.js';

const RESTRICT = `SELECT set_config('trunkline.reader_id', $1, true)`;
const ATTRIBUTE = `SELECT set_config('trunkline.actor', $1, true)`;

/**
 * Runs `work` in one transaction: COMMIT when it resolves, ROLLBACK when it throws.
 *
 * The audit log attributes the changes to the current actor. For a restricted member, functions find only the conversations of
 * their teams.
 *
 * A connection on which the ROLLBACK also fails is closed instead of returned to the pool.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    await describe(client);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

async function describe(client: PoolClient): Promise<void> {
  const reader = currentReader();
  if (reader !== undefined) await client.query(RESTRICT, [reader]);
  const actor = currentActor();
  if (actor !== undefined) await client.query(ATTRIBUTE, [JSON.stringify(actor)]);
}
