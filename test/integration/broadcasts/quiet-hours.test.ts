import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.drop());

interface QuietHours {
  readonly from: string;
  readonly to: string;
  readonly timezone?: string;
  readonly days?: readonly number[];
}

/** The end of the quiet hours that contain a time; null: it is not quiet then. */
async function quietUntil(quiet: QuietHours, at: string): Promise<string | null> {
  const [until] = await values<string | null>(database.pool, 'SELECT wire_time(quiet_until($1, $2))', [
    JSON.stringify({ quiet_hours: quiet }),
    at,
  ]);
  return until ?? null;
}

describe('quiet hours', () => {
  it.each([
    ['Asia/Tokyo', '2026-07-01T13:00:00.000Z', '2026-07-01T22:00:00.000Z'],
    ['CET', '2026-07-01T20:00:00.000Z', '2026-07-02T05:00:00.000Z'],
    ['Europe/Berlin', '2026-07-01T20:00:00.000Z', '2026-07-02T05:00:00.000Z'],
    ['America/Phoenix', '2026-07-02T05:00:00.000Z', '2026-07-02T14:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-07-01T08:00:00.000Z', '2026-07-01T17:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-07-02T09:00:00.000Z', '2026-07-02T18:00:00.000Z'],
  ])('follow the clock of %s, over midnight as well', async (timezone, begin, end) => {
    const night = { from: '22:00', to: '07:00', timezone };
    const minute = (time: string, n: number) => new Date(Date.parse(time) + n * 60_000).toISOString();
    expect(await quietUntil(night, minute(begin, -1))).toBeNull();
    expect(await quietUntil(night, begin)).toBe(end);
    expect(await quietUntil(night, minute(end, -1))).toBe(end);
    expect(await quietUntil(night, end)).toBeNull();
  });

  it('begin on the days of that clock, not on those of UTC', async () => {
    // Monday morning in Tokyo is Sunday evening in UTC, and Sunday evening in Phoenix is Monday morning there.
    const tokyo = { from: '06:00', to: '08:00', timezone: 'Asia/Tokyo', days: [1] };
    expect(await quietUntil(tokyo, '2026-07-05T22:00:00.000Z')).toBe('2026-07-05T23:00:00.000Z');
    expect(await quietUntil(tokyo, '2026-07-06T22:00:00.000Z')).toBeNull();
    const phoenix = { from: '20:00', to: '06:00', timezone: 'America/Phoenix', days: [0] };
    expect(await quietUntil(phoenix, '2026-07-06T04:00:00.000Z')).toBe('2026-07-06T13:00:00.000Z');
    expect(await quietUntil(phoenix, '2026-07-05T04:00:00.000Z')).toBeNull();
  });

  it('are an hour shorter or longer in nights with a clock change', async () => {
    const berlin = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' };
    // In 2026 clocks change forward on March 29 and back on October 25.
    expect(await quietUntil(berlin, '2026-03-28T20:59:00.000Z')).toBeNull();
    expect(await quietUntil(berlin, '2026-03-28T21:00:00.000Z')).toBe('2026-03-29T05:00:00.000Z');
    expect(await quietUntil(berlin, '2026-10-24T19:59:00.000Z')).toBeNull();
    expect(await quietUntil(berlin, '2026-10-24T20:00:00.000Z')).toBe('2026-10-25T06:00:00.000Z');
  });

  it('follow UTC if no zone is given', async () => {
    const noon = { from: '12:00', to: '13:00' };
    expect(await quietUntil(noon, '2026-07-01T12:30:00.000Z')).toBe('2026-07-01T13:00:00.000Z');
    expect(await quietUntil(noon, '2026-07-01T13:00:00.000Z')).toBeNull();
  });
});
