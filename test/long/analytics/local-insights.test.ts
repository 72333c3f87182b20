import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, it } from 'vitest';
import { GROUPS, gridOf, MEASURES } from '../../../dashboard/src/features/analytics/series.js';
import type { Caller } from '../../../src/core/access/caller.js';
import { localAnalyticsQuery, localMeasures } from '../../../src/core/analytics/local-record.js';
import { datesOf } from '../../../src/core/analytics/local-time.js';
import { ReadLocalAnalytics } from '../../../src/core/analytics/local-use-cases.js';
import { measures } from '../../../src/core/analytics/record.js';
import type { BridgeStage } from '../../support/bridge.js';
import {
  CHANGES,
  type Counted,
  iso,
  type Resource,
  record,
  storeRecord,
  type Values,
} from '../../support/counted-records.js';
import { beforeEachOn } from '../../support/each-test.js';
import { countedStage, type InsightCounts, listAmounts } from '../../support/insight-counts.js';

/** Every number of analytics is the sum of its records. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

let stage: BridgeStage;
let counts: InsightCounts;
let caller: Caller;
let read: ReadLocalAnalytics;

beforeEachOn(async ({ pool }) => {
  ({ stage, counts } = await countedStage(pool));
  caller = { workspaceId: stage.workspaceId } as Caller;
  read = new ReadLocalAnalytics(counts.insights);
});

const query = fc.record({
  resource: fc.constantFrom(...(Object.keys(localMeasures) as Resource[])),
  zone: fc.constantFrom(...ZONES),
  day: fc.constantFrom(...CHANGES),
  before: fc.integer({ min: 0, max: 3 }),
  after: fc.integer({ min: 0, max: 3 }),
  interval: fc.constantFrom('day' as const, 'hour' as const),
  group: fc.constantFrom('platform' as const, 'status' as const, 'agent' as const, undefined),
});

/** The date in the zone at which the UTC hour begins. */
const dateIn = (zone: string, at: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at - (at % HOUR_MS));

/** The same counts, computed from the single records. */
function expected(
  all: readonly Counted[],
  { resource, zone, interval, group }: Asked,
  from: string,
  to: string,
) {
  const sums = new Map<string, Values>();
  for (const { at, values, ...counted } of all) {
    const date = dateIn(zone, at);
    if (counted.resource !== resource || date < from || date > to) continue;
    const start = interval === 'day' ? date : iso(at - (at % HOUR_MS));
    const name = JSON.stringify([start, group === undefined ? null : counted[group]]);
    const sum = sums.get(name) ?? {};
    for (const [key, value] of Object.entries(values)) if (value > 0) sum[key] = (sum[key] ?? 0) + value;
    sums.set(name, sum);
  }
  return Object.fromEntries([...sums].filter(([, sum]) => Object.keys(sum).length > 0).sort());
}
type Asked = typeof query extends fc.Arbitrary<infer T> ? T : never;

const filled = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value > 0));
const addUp = (all: readonly Values[]) => {
  const sum: Values = {};
  for (const values of all)
    for (const [key, value] of Object.entries(values)) sum[key] = (sum[key] ?? 0) + value;
  return sum;
};

/** Reads the analytics, and compares the result, its totals, the tables and the CSV with the records. */
async function check(all: readonly Counted[], asked: Asked): Promise<void> {
  const { resource, zone, interval, group } = asked;
  const day = Date.parse(asked.day);
  const [from, to] = [day - asked.before * DAY_MS, day + asked.after * DAY_MS].map((at) =>
    iso(at).slice(0, 10),
  );
  const found = await read.execute(caller, queryOf(asked, from, to));
  const answered = found.series
    .map(({ start, group: of, values }) => [JSON.stringify([start, of]), filled(values)] as const)
    .filter(([, values]) => Object.keys(values).length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  expect(Object.fromEntries(answered)).toEqual(expected(all, asked, from ?? '', to ?? ''));
  expect(found.totals).toEqual(addUp(found.series.map(({ values }) => values)));

  const lines: string[] = [];
  for await (const line of read.lines(caller, queryOf(asked, from, to))) lines.push(line);
  const rows = parse(lines.join(''), { bom: true, columns: true }) as Record<string, string>[];
  expect(rows).toHaveLength(found.series.length);
  const names = localMeasures[resource];
  for (const [index, row] of rows.entries()) {
    const shown = found.series[index];
    expect(Object.fromEntries(names.map((name) => [name, Number(row[name])]))).toEqual(shown?.values);
    expect(group === undefined ? null : row[group] || null).toBe(shown?.group);
    const start = row[interval] ?? '';
    expect(interval === 'day' ? start : new Date(start).toISOString()).toBe(shown?.start);
    expect(start >= (from ?? '') && start.slice(0, 10) <= (to ?? ''), `${start} in ${zone}`).toBe(true);
  }
  compareTables(found);
}

/** Reads the same days of UTC through the REST API's store, and compares them with the records. */
async function checkUtc(all: readonly Counted[], asked: Asked): Promise<void> {
  const { resource, interval, group } = asked;
  const day = Date.parse(asked.day);
  const [from, to] = [day - asked.before * DAY_MS, day + (asked.after + 1) * DAY_MS].map(
    (at) => new Date(at),
  );
  if (from === undefined || to === undefined) throw new Error('no period');
  const found: Record<string, Values> = {};
  const amounts = await counts.read(resource, { from, to, interval, groupBy: group ?? null });
  for (const { start, group: of, measure, amount } of amounts) {
    const name = JSON.stringify([interval === 'day' ? start.slice(0, 10) : start, of]);
    found[name] = { ...found[name], [measure]: amount };
  }
  const last = iso(to.getTime() - DAY_MS).slice(0, 10);
  const utc = { ...asked, zone: 'UTC' };
  const shown = all.map((one) => ({ ...one, values: pick(one.values, measures[resource]) }));
  expect(found).toEqual(expected(shown, utc, iso(from.getTime()).slice(0, 10), last));
}
const pick = (values: Values, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

type Shape = Pick<Asked, 'resource' | 'zone' | 'interval' | 'group'>;

const queryOf = ({ resource, zone, interval, group }: Shape, from?: string, to?: string) =>
  localAnalyticsQuery.parse({ resource, from, to, time_zone: zone, interval, group_by: group });

/** Each cell is the sum or the mean of the result's values for its row and column. */
function compareTables(found: Awaited<ReturnType<ReadLocalAnalytics['execute']>>): void {
  const { resource, group_by: group } = found;
  const plots = MEASURES[resource].flatMap((measures) =>
    group === null ? [measures] : measures.map((one) => [one]),
  );
  for (const measures of plots) {
    const grid = gridOf(found, measures);
    for (const [index, { measure, group: of }] of grid.lines.entries()) {
      const own = found.series.filter((each) => of === undefined || each.group === of);
      const cellOf = (values: Values) => {
        if (measure.over === undefined) return values[measure.key] ?? 0;
        const over = values[measure.over] ?? 0;
        return over === 0 ? null : (values[measure.key] ?? 0) / over;
      };
      const rows = grid.rows.map(({ start, cells }) => [start, cells[index]]);
      const wanted = grid.rows.map(({ start }) => [
        start,
        cellOf(addUp(own.filter((each) => each.start === start).map(({ values }) => values))),
      ]);
      expect(rows).toEqual(wanted);
      expect(grid.totals[index]).toEqual(cellOf(addUp(own.map(({ values }) => values))));
      if (measure.over !== undefined) continue;
      expect(grid.totals[index]).toBe(grid.rows.reduce((sum, { cells }) => sum + (cells[index] ?? 0), 0));
    }
    const key = measures[0]?.key ?? '';
    if (group !== null && measures[0]?.over === undefined) {
      expect(grid.totals.reduce<number>((sum, cell) => sum + (cell ?? 0), 0)).toBe(found.totals[key]);
    }
  }
}

it('every number is the sum of the records behind it, in every zone and when clocks change', async () => {
  const groups = new Set(Object.values(GROUPS).flat());
  expect(groups).toEqual(new Set(['platform', 'status', 'agent']));
  const run = fc.asyncProperty(
    fc.array(record, { maxLength: 12 }),
    fc.array(query, { minLength: 6, maxLength: 6 }),
    fc.boolean(),
    async (drawn, asked, isCounted) => {
      for (const table of [
        'messages',
        'broadcasts',
        'conversations',
        'events',
        'insight_counts',
        'insight_days',
        'counted_records',
      ])
        await stage.pool.query(`DELETE FROM ${table} WHERE workspace_id = $1`, [stage.workspaceId]);
      await stage.pool.query('DELETE FROM insight_changes');
      const elsewhere = uuidv7();
      const all: Counted[] = [];
      for (const each of drawn) all.push(...(await storeRecord(stage, each, elsewhere)));
      if (isCounted) await counts.allCounted();
      for (const each of asked) {
        await check(all, each);
        await checkUtc(all, each);
      }
    },
  );
  await fc.assert(run, { numRuns: 25 });
});

it('every hour around a change of clocks belongs to its local date', async () => {
  const hours = CHANGES.flatMap((day) =>
    Array.from({ length: 104 }, (_, hour) => Date.parse(day) + (hour - 40) * HOUR_MS),
  );
  await stage.pool.query(
    `INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status,
       created_at)
     SELECT uuid7(), $1, uuid7(), 1, $2, 'x', 'internal', 'sent', at FROM unnest($3::timestamptz[]) at`,
    [stage.workspaceId, stage.memberId, hours.map(iso)],
  );
  await counts.allCounted();
  const shape = { resource: 'messages', interval: 'day', group: undefined } as const;
  for (const zone of ZONES)
    for (const day of CHANGES) {
      const [from, to] = [-2, 3].map((days) => iso(Date.parse(day) + days * DAY_MS).slice(0, 10));
      const wanted = new Map(datesOf(from ?? '', to ?? '').map((date) => [date, 0]));
      for (const date of hours.map((at) => dateIn(zone, at)))
        if (wanted.has(date)) wanted.set(date, (wanted.get(date) ?? 0) + 1);
      const { series } = await read.execute(caller, queryOf({ ...shape, zone }, from, to));
      expect([zone, ...series.map(({ start, values }) => [start, values.internal])]).toEqual([
        zone,
        ...wanted,
      ]);
    }
});

it('every listed zone has the days of its own clock, even when a day has no midnight', async () => {
  for (const zone of ZONES) {
    const at = { time_zone: zone, from: '2026-03-01', to: '2026-04-10' };
    const { series } = await read.execute(caller, localAnalyticsQuery.parse(at));
    expect(series).toHaveLength(41);
    const hours = { time_zone: zone, from: '2026-03-08', to: '2026-03-08', interval: 'hour' };
    const day = await read.execute(caller, localAnalyticsQuery.parse(hours));
    const isShort = zone === 'America/New_York' || zone === 'America/Havana';
    expect([zone, day.series.length]).toEqual([zone, isShort ? 23 : 24]);
  }
});

it('a zone that the database does not know counts as UTC, as in schedules', async () => {
  const at = Date.parse('2026-03-08T23:30:00Z');
  const message = { kind: 'message', at, direction: 'inbound', platform: 'sms', status: 'received' } as const;
  await storeRecord(stage, message, uuidv7());
  const found = await counts.insights.readLocal({
    workspaceId: stage.workspaceId,
    resource: 'messages',
    from: '2026-01-01',
    to: '2026-12-31',
    timeZone: 'Mars/Base',
    interval: 'day',
    groupBy: null,
    maxGroups: 20,
  });
  expect(listAmounts(found)).toEqual([{ start: '2026-03-08', group: null, measure: 'inbound', amount: 1 }]);
});

it('a date that a zone skipped has no amounts', async () => {
  const at = Date.parse('2011-12-30T12:00:00Z');
  const message = { kind: 'message', at, direction: 'inbound', platform: 'sms', status: 'received' } as const;
  await storeRecord(stage, message, uuidv7());
  const days = { time_zone: 'Pacific/Apia', from: '2011-12-29', to: '2011-12-31' };
  const found = await read.execute(caller, localAnalyticsQuery.parse(days));
  expect(found.series.map(({ start, values }) => [start, values.inbound])).toEqual([
    ['2011-12-29', 0],
    ['2011-12-30', 0],
    ['2011-12-31', 1],
  ]);
  const skipped = { ...days, from: '2011-12-30', to: '2011-12-30' };
  expect((await read.execute(caller, localAnalyticsQuery.parse(skipped))).totals.inbound).toBe(0);
});
