import { connectClient } from '../connection/client.js';
import type { ServerConnection } from '../connection/server.js';

/** Key of the lock that keeps two processes from creating the same things at once. Any fixed number works. */
const LOCK_KEY = 7_478_156_303;

/** Runs `work` while no other process of this database does. Raises an error when another process does. */
export async function withApplyLock<T>(connection: ServerConnection, work: () => Promise<T>): Promise<T> {
  const client = await connectClient(connection);
  try {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      LOCK_KEY,
    ]);
    if (!rows[0]?.taken)
      throw new Error('Another "trunkline apply" is changing this database. Wait until it has ended.');
    return await work();
  } finally {
    await client.end();
  }
}
