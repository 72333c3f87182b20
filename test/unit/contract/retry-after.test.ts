import { expect, it } from 'vitest';
import { waitMsIn } from '../../../src/contract/index.js';

const now = Date.parse('2026-01-01T00:00:00Z');

it.each([
  ['120', 120_000],
  [' 3 ', 3_000],
  ['2.5', 2_500],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:01:00 GMT', 0],
  ['-5', undefined],
  ['Infinity', undefined],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('reads Retry-After %j as %j ms', (header, expected) => {
  expect(waitMsIn(header, now)).toBe(expected);
});
