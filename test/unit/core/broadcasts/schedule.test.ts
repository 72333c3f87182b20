import { describe, expect, it } from 'vitest';
import { completeSchedule } from '../../../../src/core/broadcasts/audience.js';
import { schedule } from '../../../../src/core/broadcasts/schedule.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The UTC date and time after this duration. */
const shown = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 16);
const problemsOf = (value: unknown) =>
  schedule
    .safeParse(value)
    .error?.issues.map((issue) => [
      issue.path.join('.'),
      (issue as { params?: { code?: string } }).params?.code,
    ]) ?? [];
const local = (local_time: string, more: object = {}) => ({ local_time, mode: 'recipient_local', ...more });

describe('the local time of a schedule', () => {
  it('is stored as it was sent, and the record shows every other field', () => {
    const time = shown(DAY);
    expect(completeSchedule(schedule.parse(local(time)))).toEqual({
      at: null,
      local_time: time,
      mode: 'recipient_local',
      quiet_hours: null,
      expires_at: null,
    });
  });

  it('may be past in UTC while it is in the future in a zone behind UTC', () => {
    expect(problemsOf(local(shown(-11 * HOUR)))).toEqual([]);
    expect(problemsOf(local(shown(-12.1 * HOUR)))).toEqual([['local_time', 'too_small']]);
  });

  it('is at most 365 days ahead in the zone furthest ahead', () => {
    expect(problemsOf(local(shown(365 * DAY)))).toEqual([]);
    expect(problemsOf(local(shown(366 * DAY)))).toEqual([['local_time', 'too_large']]);
  });

  it.each([
    ['with seconds', `${shown(DAY)}:00`],
    ['with the offset of UTC', `${shown(DAY)}Z`],
    ['with another offset', `${shown(DAY)}+02:00`],
    ['with a blank in place of the T', shown(DAY).replace('T', ' ')],
    ['without a time', shown(DAY).slice(0, 10)],
    ['on a day that no calendar has', `${new Date().getUTCFullYear() + 1}-02-30T09:00`],
    ['at hour 24', `${shown(DAY).slice(0, 10)}T24:00`],
    ['in five digits of a year', '+02027-01-01T09:00'],
    ['with nothing in it', ''],
  ])('is refused %s', (_, time) => {
    expect(problemsOf(local(time))).toEqual([['local_time', 'invalid_format']]);
  });

  it('excludes `at`', () => {
    expect(problemsOf(local(shown(DAY), { at: new Date(Date.now() + DAY).toISOString() }))).toEqual([
      ['local_time', 'exclusive'],
    ]);
    expect(problemsOf(local(shown(DAY), { at: null }))).toEqual([]);
  });

  it('needs the mode recipient_local', () => {
    expect(problemsOf({ local_time: shown(DAY), mode: 'fixed' })).toEqual([['mode', 'invalid_value']]);
    expect(problemsOf({ local_time: shown(DAY) })).toEqual([['mode', 'required']]);
    expect(problemsOf({ local_time: shown(DAY), mode: null })).toEqual([['mode', 'required']]);
    expect(problemsOf({ local_time: null })).toEqual([]);
  });
});
