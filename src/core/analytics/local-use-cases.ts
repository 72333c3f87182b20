import type { Caller } from '../access/caller.js';
import { invalidField } from '../common/errors.js';
import { timeNow } from '../common/time.js';
import { csvLine } from '../csv/write-csv.js';
import { type LocalAnalyticsQuery, type LocalAnalyticsRecord, localMeasures } from './local-record.js';
import { dateAt, datesOf, LocalClock } from './local-time.js';
import type { InsightStore } from './ports.js';
import { seriesOf, totalsOf } from './series.js';

const DAY_MS = 24 * 3_600_000;
const MAX_DAYS = { day: 400, hour: 31 } as const;
const DEFAULT_DAYS = 7;
const MAX_GROUPS = 20;
/** Byte order mark, which makes spreadsheets read the file as UTF-8. */
const MARK = '\uFEFF';

/** Counts of events in the caller's workspace, by the days of a time zone. */
export class ReadLocalAnalytics {
  constructor(
    private readonly store: InsightStore,
    private readonly now: () => number = timeNow,
  ) {}

  /** Raises `invalid_request` for an empty or too long range of dates. */
  async execute(caller: Caller, query: LocalAnalyticsQuery): Promise<LocalAnalyticsRecord> {
    const { resource, time_zone: timeZone, interval, group_by: groupBy = null } = query;
    const clock = new LocalClock(timeZone);
    const { from, to } = datesAsked(query, clock.dateOf(this.now()));
    const { workspaceId } = caller;
    const asked = { workspaceId, resource, from, to, timeZone, interval, groupBy, maxGroups: MAX_GROUPS };
    const found = await this.store.readLocal(asked);
    const expected = interval === 'day' ? this.days(clock, from, to) : this.hours(clock, from, to);
    // The database may have other time zone data than this runtime, so buckets that it returned are always included.
    const isEmpty = (index: number) => found.series.every(({ amounts }) => !amounts[index]);
    const others = found.starts.filter((_, index) => !isEmpty(index));
    const buckets = [...new Set([...expected, ...others])].sort();
    return {
      resource,
      from,
      to,
      time_zone: timeZone,
      interval,
      group_by: groupBy,
      totals: totalsOf(localMeasures[resource], found),
      series: seriesOf(localMeasures[resource], found, buckets),
    };
  }

  /** The same data as CSV, one line per bucket and group. */
  async *lines(caller: Caller, query: LocalAnalyticsQuery): AsyncGenerator<string> {
    const found = await this.execute(caller, query);
    const { resource, group_by: groupBy, interval } = found;
    const clock = new LocalClock(found.time_zone);
    const names = localMeasures[resource];
    yield MARK + csvLine([interval, ...(groupBy === null ? [] : [groupBy]), ...names]);
    for (const { start, group, values } of found.series) {
      const at = interval === 'day' ? start : clock.timeOf(Date.parse(start));
      const amounts = names.map((name) => String(values[name] ?? 0));
      yield csvLine([at, ...(groupBy === null ? [] : [group]), ...amounts]);
    }
  }

  /** Excludes days that have not begun. */
  private days(clock: LocalClock, from: string, to: string): string[] {
    const today = clock.dateOf(this.now());
    return datesOf(from, to).filter((date) => date <= today);
  }

  private hours(clock: LocalClock, from: string, to: string): string[] {
    const now = this.now();
    return clock
      .hoursOf(from, to)
      .filter((at) => at <= now)
      .map((at) => new Date(at).toISOString());
  }
}

function datesAsked(query: LocalAnalyticsQuery, today: string): { from: string; to: string } {
  const to = query.to ?? today;
  const from = query.from ?? dateAt(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  if (from > to) throw invalidField('from', 'invalid_value', 'Expected a date that is not after to.');
  const longest = MAX_DAYS[query.interval];
  if (Date.parse(to) - Date.parse(from) >= longest * DAY_MS) {
    throw invalidField('from', 'too_large', `Expected at most ${longest} days by ${query.interval}.`);
  }
  return { from, to };
}
