import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` in one transaction: COMMIT when it resolves, ROLLBACK when it throws.
 *
 * A connection on which the ROLLBACK fails too is thrown away instead of going back to the pool.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
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
