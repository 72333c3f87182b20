import type { Pool } from 'pg';

/** Rows of a transaction, so that none takes long. */
const PORTION = 1_000;
/** After so long the rest is left for another round: other work waits meanwhile. */
const ROUND_MS = 1_000;

/** Does portion after portion while there is more, for as long as a round may take. Answers whether some may be left. */
export async function inPortions(work: (most: number) => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + ROUND_MS;
  do {
    if (!(await work(PORTION))) return false;
  } while (performance.now() < until);
  return true;
}

/** The same for a statement that removes up to $1 rows of each kind and answers the most that it removed of one as `done`. */
export function purgeInPortions(pool: Pool, text: string, values: readonly unknown[] = []): Promise<boolean> {
  return inPortions(async (most) => {
    const { rows } = await pool.query<{ done: number }>(text, [most, ...values]);
    return (rows[0]?.done ?? 0) >= most;
  });
}
