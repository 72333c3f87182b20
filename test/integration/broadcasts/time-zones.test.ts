import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timeZoneNames } from '../../../src/core/schema/time-zone-names.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.drop());

/** Minutes ahead of UTC, as this runtime knows them. */
function offsetOf(timeZone: string, at: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

/** The same offsets, as the database knows them. */
async function offsetsIn(at: string): Promise<Record<string, number>> {
  const pairs = await values<[string, number]>(
    database.pool,
    `SELECT jsonb_build_array(zone, extract(epoch FROM ($2::timestamptz AT TIME ZONE resolve_time_zone(zone))
       - ($2::timestamptz AT TIME ZONE 'UTC'))::int / 60) FROM unnest($1::text[]) AS zone`,
    [timeZoneNames, at],
  );
  return Object.fromEntries(pairs);
}

describe('every accepted time zone', () => {
  it.each(['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'])(
    'has the same offset in the database as in this runtime at %s',
    async (at) => {
      const expected = Object.fromEntries(timeZoneNames.map((name) => [name, offsetOf(name, at)]));
      expect(await offsetsIn(at)).toEqual(expected);
    },
  );

  it('is found in the database under its own name or an alias', async () => {
    const lost = await values<string>(
      database.pool,
      `SELECT zone FROM unnest($1::text[]) AS zone
       WHERE resolve_time_zone(zone) = 'UTC' AND zone NOT IN ('UTC', 'Etc/UTC') ORDER BY 1`,
      [timeZoneNames],
    );
    expect(lost).toEqual([]);
  });

  it('is found if the database lacks the older or the newer name of a zone', async () => {
    const [names] = await values<Record<string, string>>(
      database.pool,
      `SELECT jsonb_object_agg(zone, resolve_time_zone(zone)) FROM unnest($1::text[]) AS zone`,
      [['US/Pacific', 'us/pacific', 'CET', 'Asia/Calcutta', 'Europe/Kyiv', 'Mars/Base']],
    );
    expect(names).toEqual({
      'US/Pacific': 'America/Los_Angeles',
      'us/pacific': 'America/Los_Angeles',
      CET: 'Europe/Brussels',
      'Asia/Calcutta': 'Asia/Kolkata',
      'Europe/Kyiv': 'Europe/Kyiv',
      'Mars/Base': 'UTC',
    });
  });

  it('is accepted with all of its other names', async () => {
    const others = await values<string>(
      database.pool,
      'SELECT unnest(ARRAY[zone] || names) FROM time_zone_aliases() ORDER BY 1',
    );
    expect(others.filter((name) => !timeZoneNames.includes(name))).toEqual([]);
  });
});
