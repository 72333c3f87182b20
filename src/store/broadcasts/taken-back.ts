import type { Pool, PoolClient } from 'pg';

/** Runs `act` in a transaction of which nothing stays. */
export async function takenBack<T>(pool: Pool, act: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    return await act(client);
  } finally {
    // A connection that can't even roll back is thrown away.
    const broken = await client.query('ROLLBACK').then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(broken);
  }
}
