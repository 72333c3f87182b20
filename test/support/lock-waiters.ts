import type { Pool } from 'pg';

const WAITING = `SELECT count(*)::int AS waiting FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** How many statements wait for the lock of somebody else. Ask outside of transactions: within one, activity stays as first seen. */
export async function lockWaiters(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(WAITING);
  return rows[0]?.waiting ?? 0;
}
