import { connectClient } from '../connection/client.js';
import type { ServerConnection } from '../connection/server.js';

/** Any fixed number; it keeps two processes from making the same things at once. */
const LOCK_KEY = 7_478_156_303;

/** Runs `work` while no other process of this database is in here. Raises an error when one is. */
export async function withApplyLock<T>(connection: ServerConnection, work: () => Promise<T>): Promise<T> {
  const client = await connectClient(connection);
  try {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      LOCK_KEY,
    ]);
    if (!rows[0]?.taken)
      throw new Error('Another "trunkline apply" works on this database. Wait for its end.');
    return await work();
  } finally {
    await client.end();
  }
}
