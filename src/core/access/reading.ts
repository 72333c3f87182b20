import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from './caller.js';

const reading = new AsyncLocalStorage<string | undefined>();

/**
 * Runs work for a caller. For a restricted member, whatever is read in it shows only the conversations of their teams, and
 * database functions find no others. For everyone else it runs as it is.
 */
export function seeAs<T>({ ownTeams }: Pick<Caller, 'ownTeams'>, work: () => T): T {
  return reading.run(ownTeams?.memberId, work);
}

/** The restricted member for whom runs what runs now. */
export function currentReader(): string | undefined {
  return reading.getStore();
}
