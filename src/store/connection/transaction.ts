import type { Pool, PoolClient } from 'pg';
import { currentActor } from '../../core/access/acting.js';

const ATTRIBUTE = `SELECT set_config('trunkline.actor', $1, true)`;

/**
 * Runs `work` in one transaction: COMMIT when it resolves, ROLLBACK when it throws.
 *
 * The audit log attributes its changes to the current actor.
 *
 * A connection on which the ROLLBACK fails too is thrown away instead of going back to the pool.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    await attribute(client);
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

async function attribute(client: PoolClient): Promise<void> {
  const actor = currentActor();
  if (actor !== undefined) await client.query(ATTRIBUTE, [JSON.stringify(actor)]);
}
