import type { Pool, QueryConfig } from 'pg';
import { expect } from 'vitest';

const WAITING = `SELECT count(*)::int AS waiting FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** The number of statements that wait for a lock. Call it outside of transactions, because activity is cached within one. */
export async function lockWaiters(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(WAITING);
  return rows[0]?.waiting ?? 0;
}

/** Starts `other` between a statement and its commit. The commit follows once `other` waits for the statement's locks. */
export async function duringUncommitted(
  pool: Pool,
  statement: QueryConfig,
  other: () => Promise<unknown>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(statement);
    const done = other();
    await expect.poll(() => lockWaiters(pool)).toBe(1);
    await client.query('COMMIT');
    await done;
  } finally {
    client.release();
  }
}
