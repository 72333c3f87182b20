import { expect, it } from 'vitest';
import { askedWaitMs } from '../../../src/contract/asked-wait.js';
import { PlatformError } from '../../../src/contract/index.js';

it.each([
  [1_500, 1_500],
  [0, 1_000],
  [-5, 1_000],
  [Number.NaN, 1_000],
  [Number.POSITIVE_INFINITY, 1_000],
  [10 ** 15, 86_400_000],
])('a wait of %d ms that a platform asks for is reported as %d ms', (asked, kept) => {
  const problem = { kind: 'rate_limited', retryAfterMs: asked, scope: 'account' } as const;
  const error = new PlatformError(problem, { dispatched: 'no', message: 'Wait.' });
  expect(askedWaitMs(asked)).toBe(kept);
  expect(error.problem).toEqual({ ...problem, retryAfterMs: kept });
});
