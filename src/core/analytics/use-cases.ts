import type { Caller } from '../access/caller.js';
import { timeNow } from '../common/time.js';
import { type AnalyticsQuery, bucketsOf, HOUR_MS, periodOf } from './period.js';
import type { InsightStore } from './ports.js';
import { type AnalyticsRecord, type AnalyticsResource, measures } from './record.js';
import { seriesOf, totalsOf } from './series.js';

const MAX_GROUPS = 100;

/** Counts of events in the caller's workspace. */
export class ReadAnalytics {
  constructor(
    private readonly store: InsightStore,
    private readonly now: () => number = timeNow,
  ) {}

  /** Raises `invalid_request` for an empty or too long range. */
  async execute(
    caller: Caller,
    resource: AnalyticsResource,
    query: AnalyticsQuery,
  ): Promise<AnalyticsRecord> {
    const period = periodOf(query, this.now());
    const found = await this.store.read({
      workspaceId: caller.workspaceId,
      resource,
      // The start of a default range is rounded down to the hour.
      from: new Date(query.from === undefined ? period.from - (period.from % HOUR_MS) : period.from),
      to: new Date(period.to),
      interval: query.interval,
      groupBy: query.group_by ?? null,
      maxGroups: MAX_GROUPS,
    });
    return {
      resource,
      from: new Date(period.from).toISOString(),
      to: new Date(period.to).toISOString(),
      interval: query.interval,
      group_by: query.group_by ?? null,
      totals: totalsOf(measures[resource], found),
      series: seriesOf(measures[resource], found, bucketsOf(period, query.interval)),
    };
  }
}
