import { describe, expect, it } from 'vitest';
import { localTime, mondayMorning, readLocalTime, tomorrowMorning } from './later';

/** This date is a Friday. */
const NOW = new Date(2026, 10, 27, 15, 30);

describe('A time to send a message later', () => {
  it('is nine in the morning of the next day', () => {
    expect(localTime(tomorrowMorning(NOW))).toBe('2026-11-28T09:00');
    expect(localTime(tomorrowMorning(new Date(2026, 11, 31, 23, 59)))).toBe('2027-01-01T09:00');
  });

  it.each([
    ['Friday', new Date(2026, 10, 27), '2026-11-30T09:00'],
    ['Sunday', new Date(2026, 10, 29), '2026-11-30T09:00'],
    ['Monday', new Date(2026, 10, 30), '2026-12-07T09:00'],
  ])('is the next Monday when it is %s', (_day, now, expected) => {
    expect(localTime(mondayMorning(now))).toBe(expected);
  });

  it('keeps the minute that a person wrote', () => {
    expect(readLocalTime('2026-11-27T15:31', NOW)).toEqual(new Date(2026, 10, 27, 15, 31));
  });

  it.each(['', '2026-11-27T15:30', '2026-11-27T15:29', '2027-12-01T00:00', 'tomorrow'])(
    'is refused when it is empty, past or more than a year ahead: "%s"',
    (text) => expect(readLocalTime(text, NOW)).toBeUndefined(),
  );
});
