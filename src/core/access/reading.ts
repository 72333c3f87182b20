import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from './caller.js';

const reading = new AsyncLocalStorage<string | undefined>();

/**
 * Runs work for a caller. For a restricted caller, all reads return only the conversations of their teams or of their
 * grant, and database functions find no others. Other callers are not limited.
 */
export function seeAs<T>({ restriction }: Pick<Caller, 'restriction'>, work: () => T): T {
  return reading.run(restriction?.readerId, work);
}

/** The restricted member, or the key with a grant, on whose behalf the current work runs. */
export function currentReader(): string | undefined {
  return reading.getStore();
}
