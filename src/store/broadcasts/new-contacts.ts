import type { Pool } from 'pg';
import { countNewContacts, createNewContactsRange } from '../calls.gen.js';

/** Contacts per transaction. A message from one of their addresses waits until the transaction ends. */
const BATCH = 2_500;
/** Batches that run at once. */
const AT_ONCE = 2;

/**
 * Creates contacts for the addresses of a broadcast that have none, if there are many. This step is optional: freezing the
 * audience also creates missing contacts, but on one connection and in one transaction.
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
