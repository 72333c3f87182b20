import type { AccountRate } from '../../rates/rates.js';
import type { OpenAhead } from './attempt-opener.js';

/** The current load of a dispatcher. */
export interface DispatcherLoad {
  /** The number of concurrent writes. */
  readonly maxWrites: number;
  /** The number of leased tasks without a recorded result. */
  readonly unfinished: number;
  /** The number of those that wait for their first write. */
  readonly waiting: number;
  /** The duration of the last write. */
  readonly writeMs: number;
  /** The next claim was requested by a queue job or a timer. */
  readonly reminded: boolean;
}

/**
 * Concurrent writes per connection and process. Up to this many writes may still reach the platform after it has
 * refused the credentials.
 */
export const MAX_WRITES = 50;
/** The same for an account with a higher rate, because each write takes about WRITE_MS. */
const MAX_LEASED_WRITES = 128;
export const WRITE_MS = 125;
/** Tasks that are leased ahead of their write, so that claims and records are large batches. */
const AHEAD = 512;
/** Minimum batch size for a claim while other tasks wait. A small batch costs almost as much as a large one. */
const GROUP = 128;
/** Nothing is leased ahead for a platform whose writes take longer. */
const QUICK_MS = 500;
/** Lease-ahead of an account with a rate, as the time of its writes. A canceled broadcast waits for leased tasks. */
const AHEAD_MS = 700;
/** Additional leases for messages that a person waits for. */
const URGENT = 8;
/** Maximum number of attempts that are opened together. A batch costs little more than one attempt. */
const OPENED = 48;
/** The same for an account with a rate, as the time of its writes. Open attempts are uncertain when the process dies. */
const OPENED_MS = 100;

export function maxWritesOf(account: AccountRate | null): number {
  if (account === null) return MAX_WRITES;
  return Math.min(MAX_LEASED_WRITES, Math.max(MAX_WRITES, Math.ceil((account.perSecond * WRITE_MS) / 1000)));
}

/** The number of sends that may be leased for a connection when they are stored. 0: its rate is too low to lease ahead. */
export function capacityAhead(load: DispatcherLoad | undefined, account: AccountRate | null): number {
  const maxWrites = load?.maxWrites ?? maxWritesOf(account);
  const whole = maxWrites + ((load?.writeMs ?? 0) < QUICK_MS ? AHEAD : 0);
  const capacity = whole - (load?.unfinished ?? 0);
  if (account === null) return Math.max(0, capacity);
  const ahead = Math.ceil((account.perSecond * AHEAD_MS) / 1000);
  return ahead < AHEAD ? 0 : Math.max(0, Math.min(capacity, ahead - (load?.waiting ?? 0)));
}

/** Whether a task can be written immediately: a slot is free, and nothing waits for the account's rate. */
export function canWriteNow(load: DispatcherLoad, account: AccountRate | null): boolean {
  return load.unfinished < load.maxWrites && (account === null || load.waiting === 0);
}

export function openAheadOf(account: AccountRate | null): OpenAhead {
  const together =
    account === null ? OPENED : Math.min(OPENED, Math.ceil((account.perSecond * OPENED_MS) / 1000));
  return { together, low: Math.floor(together / 2) };
}

/** The number of lanes to lease now. */
export interface Wanted {
  readonly maxLanes: number;
  readonly urgent: boolean;
}

/** Maximum number of waiting tasks at which more tasks are leased. */
export function refillAtOf(account: AccountRate | null): number {
  return account === null ? 0 : Math.floor(leasedAhead(account) / 2);
}

export function wanted(load: DispatcherLoad, account: AccountRate | null): Wanted {
  const whole = load.maxWrites + (load.writeMs < QUICK_MS ? AHEAD : 0);
  const capacity = whole - load.unfinished;
  if (account === null) {
    const worthwhile = load.reminded || load.unfinished <= Math.max(load.maxWrites, whole - GROUP);
    return { maxLanes: worthwhile ? capacity : 0, urgent: false };
  }
  const free = Math.min(capacity, leasedAhead(account) - load.waiting);
  if (free <= 0) return { maxLanes: load.reminded ? URGENT : 0, urgent: true };
  return { maxLanes: load.reminded || load.waiting <= refillAtOf(account) ? free : 0, urgent: false };
}

/** Maximum number of tasks of an account with a rate that wait for their first write. */
export function leasedAhead({ perSecond }: AccountRate): number {
  return Math.max(1, Math.ceil((perSecond * AHEAD_MS) / 1000));
}
