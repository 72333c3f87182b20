import { expect, it } from 'vitest';
import { isDatabaseAway } from '../../../src/core/database-away.js';

const failure = (code: string, cause?: Error) => Object.assign(new Error('failed', { cause }), { code });

it.each(['53100', '53200', '53300', '57P01', '57P03', '08006', 'ECONNREFUSED'])(
  'A database that answers %s is away, whatever it was asked for',
  (code) => {
    expect(isDatabaseAway(failure(code))).toBe(true);
    expect(isDatabaseAway(new Error('in a unit of work', { cause: failure(code) }))).toBe(true);
  },
);

it.each(['23505', '40P01', '54000'])('A database that answers %s is there', (code) => {
  expect(isDatabaseAway(failure(code))).toBe(false);
});
