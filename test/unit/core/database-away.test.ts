import { expect, it } from 'vitest';
import { isDatabaseAway, untilBack } from '../../../src/core/common/database-away.js';

const failure = (code: string, cause?: Error) => Object.assign(new Error('failed', { cause }), { code });

it.each(['53100', '53200', '53300', '57P01', '57P03', '58030', '25006', '55P03', '08006', 'ECONNREFUSED'])(
  'an error %s of the database counts as an outage, whatever the query',
  (code) => {
    expect(isDatabaseAway(failure(code))).toBe(true);
    expect(isDatabaseAway(new Error('in a unit of work', { cause: failure(code) }))).toBe(true);
  },
);

it.each(['23505', '40P01', '54000'])('an error %s of the database is not an outage', (code) => {
  expect(isDatabaseAway(failure(code))).toBe(false);
});

it.each(['28P01', '3D000', '55000'])('a refused or ended session (%s) is an outage', (code) => {
  expect(isDatabaseAway(Object.assign(failure(code), { severity: 'FATAL' }))).toBe(true);
  expect(isDatabaseAway(Object.assign(failure(code), { severity: 'ERROR' }))).toBe(false);
});

it('work during an outage of the database is done afterwards, and given up after its time limit', async () => {
  const failures = [failure('08006'), failure('57P03')];
  const answer = untilBack(async () => {
    const next = failures.shift();
    if (next !== undefined) throw next;
    return 'recorded';
  }, 60_000);
  await expect(answer).resolves.toBe('recorded');
  await expect(untilBack(() => Promise.reject(failure('08006')), 0)).rejects.toThrow('failed');
});

it('work that was refused for another reason is not repeated', async () => {
  let times = 0;
  const refused = untilBack(async () => {
    times += 1;
    throw failure('23505');
  }, 60_000);
  await expect(refused).rejects.toThrow('failed');
  expect(times).toBe(1);
});
