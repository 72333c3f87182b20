import type { Pool, PoolClient } from 'pg';

/** Runs `act` in a transaction that is always rolled back. */
export async function inRolledBackTransaction<T>(
  pool: Pool,
  act: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    return await act(client);
  } finally {
    // A connection whose ROLLBACK fails is closed.
    const broken = await client.query('ROLLBACK').then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(broken);
  }
}
