import type { Pool } from 'pg';
import { callFunction } from '../connection/function-calls.js';

const WHAT = 'The broadcast';

/** Contacts made in one transaction: whoever writes from one of their addresses meanwhile waits until it ends. */
const PORTION = 2_500;
/** Portions at once. */
const AT_ONCE = 2;

/**
 * Makes contacts of the addresses of a broadcast that nobody has yet, where there are many of them. Nothing depends on it: who is
 * not met here is met when the audience is frozen, by one connection and in one transaction.
 */
export async function createNewContacts(pool: Pool, broadcastId: string): Promise<void> {
  const text = 'SELECT count_newcomers($1) AS named';
  const [{ named } = { named: 0 }] = await callFunction<{ named: number }>(pool, WHAT, text, [broadcastId]);
  if (named <= PORTION) return;
  let next = 1;
  const meet = async () => {
    while (next <= named) {
      const first = next;
      next += PORTION;
      await callFunction(pool, WHAT, 'SELECT meet_newcomers($1, $2, $3)', [broadcastId, first, next]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, meet));
}
