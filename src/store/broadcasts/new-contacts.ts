import type { Pool } from 'pg';
import { countNewContacts, createNewContactsRange } from '../calls.gen.js';

/** Contacts made in one transaction: a message from one of their addresses waits until it ends. */
const BATCH = 2_500;
/** Batches at once. */
const AT_ONCE = 2;

/**
 * Creates contacts for the addresses of a broadcast that no contact has yet, where there are many of them. It is
 * optional: freezing the audience creates the missing ones, by one connection and in one transaction.
 */
export async function createNewContacts(pool: Pool, broadcastId: string): Promise<void> {
  const named = await countNewContacts(pool, broadcastId);
  if (named <= BATCH) return;
  let next = 1;
  const meet = async () => {
    while (next <= named) {
      const first = next;
      next += BATCH;
      await createNewContactsRange(pool, { broadcast: broadcastId, first, before: next });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, meet));
}
