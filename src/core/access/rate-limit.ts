import { AppError } from '../common/errors.js';
import { timeNow } from '../common/time.js';
import type { Caller } from './caller.js';

export const HOUR_MS = 3_600_000;
/** Header values for an unlimited key. */
const UNLIMITED = 1_000_000_000;

/** State of a caller's hour after a request. `reset` is a Unix time in seconds. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
  readonly refused: boolean;
}

/** Counts a request of an authenticated caller. */
export type RateLimiter = (caller: Caller) => RateState | Promise<RateState>;

/** Counts requests per bucket and hour. */
export interface RequestCounts {
  /**
   * Counts one request unless the limit of the hour is reached. `hour` is the start of the hour, in milliseconds.
   *
   * Returns the number of requests used including this one, or undefined if the request is refused. A refused request
   * is not counted.
   */
  take(bucket: string, hour: number, limit: number): number | undefined | Promise<number | undefined>;
}

/** Counts per credential and UTC clock hour. Requests of a caller without a limit are not counted. */
export function hourlyRateLimiter(counts: RequestCounts, now: () => number = timeNow): RateLimiter {
  return (caller) => {
    const at = now();
    const hour = at - (at % HOUR_MS);
    const reset = (hour + HOUR_MS) / 1_000;
    const limit = caller.rateLimit;
    if (limit === 0) return { limit: UNLIMITED, remaining: UNLIMITED, reset, refused: false };
    const used = counts.take(caller.rateBucket ?? caller.credential.id, hour, limit);
    return used instanceof Promise
      ? used.then((number) => stateOf(limit, number, reset))
      : stateOf(limit, used, reset);
  };
}

function stateOf(limit: number, used: number | undefined, reset: number): RateState {
  return {
    limit,
    remaining: used === undefined ? 0 : limit - used,
    reset,
    refused: used === undefined,
  };
}

/** The error for a refused request. */
export function rateLimitExceeded(state: RateState): AppError {
  const details = { limit: state.limit, reset: state.reset };
  return new AppError('rate_limit_exceeded', 'Rate limit exceeded.', details);
}
