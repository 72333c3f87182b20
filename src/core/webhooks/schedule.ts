import { waitMsIn } from '../../contract/retry-after.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay of each attempt after the previous one. After the last attempt the delivery is dead. */
export const tryDelaysMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** An endpoint that only failed for this long is disabled. */
export const failingLimitMs = 120 * hour;

const jitter = 0.1;
const maxRetryAfterMs = 24 * hour;
const statusesWithRetryAfter = new Set([429, 502, 503, 504]);

/**
 * The wait after the `tries`-th attempt failed. Undefined if it was the last one.
 *
 * `random` is in [0, 1) and varies the wait in both directions. A wait that the receiver asked for is a minimum, up to 24 hours.
 */
export function delayBeforeNextTry(tries: number, askedMs: number, random: number): number | undefined {
  const planned = tryDelaysMs[tries];
  if (planned === undefined) return undefined;
  const spread = planned * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.max(spread, Math.min(askedMs, maxRetryAfterMs)));
}

/** The wait that a response asks for by `Retry-After` (seconds or a date). 0 if it asks for none. */
export function askedWaitMs(status: number, retryAfter: string | undefined, now: Date): number {
  if (!statusesWithRetryAfter.has(status)) return 0;
  return waitMsIn(retryAfter, now.getTime()) ?? 0;
}
