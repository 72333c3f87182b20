import { describe, expect, it } from 'vitest';
import { TrunklineError } from '../../../src/client/index.js';
import { backoff, waitBeforeRetry } from '../../../src/client/retry.js';

const error = (status: number, more: { reason?: string; retryAfter?: number } = {}) =>
  new TrunklineError({
    status,
    code: 'x',
    message: 'x',
    details: { reason: more.reason },
    ...(more.retryAfter === undefined ? {} : { retryAfter: more.retryAfter }),
  });

describe('the wait before a retry', () => {
  it.each([0, 408, 429, 500, 502, 503, 504])('exists after %i', (status) => {
    expect(waitBeforeRetry(error(status), 0)).toBeGreaterThan(0);
  });

  it.each([302, 400, 401, 403, 404, 409, 501])('does not exist after %i', (status) => {
    expect(waitBeforeRetry(error(status), 0)).toBeUndefined();
  });

  it('doubles up to a limit, and half of it is random', () => {
    expect([0, 1, 2, 20].map((tried) => backoff(tried, () => 1))).toEqual([250, 500, 1000, 8000]);
    expect([0, 1, 2, 20].map((tried) => backoff(tried, () => 0))).toEqual([125, 250, 500, 4000]);
  });

  it('is never shorter than the wait that the service asks for', () => {
    expect(waitBeforeRetry(error(503, { retryAfter: 7 }), 0, () => 0)).toBe(7125);
    expect(waitBeforeRetry(error(429, { retryAfter: 61 }), 0)).toBeUndefined();
  });
});
