import type { Caller } from '../access/caller.js';
import { type AnalyticsQuery, bucketsOf, HOUR_MS, periodOf } from './period.js';
import type { Amount, InsightStore } from './ports.js';
import { type AnalyticsRecord, type AnalyticsResource, measures } from './record.js';

type Values = Record<string, number>;

/** Counts of what happened in the caller's workspace. */
export class ReadAnalytics {
  constructor(
    private readonly store: InsightStore,
    private readonly now: () => number = Date.now,
  ) {}

  /** Raises `invalid_request` for a time that is too long or no time. */
  async execute(
    caller: Caller,
    resource: AnalyticsResource,
    query: AnalyticsQuery,
  ): Promise<AnalyticsRecord> {
    const period = periodOf(query, this.now());
    const amounts = await this.store.read({
      workspaceId: caller.workspaceId,
      resource,
      // A default time is rounded to the hour.
      from: new Date(query.from === undefined ? period.from - (period.from % HOUR_MS) : period.from),
      to: new Date(period.to),
      interval: query.interval,
      groupBy: query.group_by ?? null,
    });
    return {
      resource,
      from: new Date(period.from).toISOString(),
      to: new Date(period.to).toISOString(),
      interval: query.interval,
      group_by: query.group_by ?? null,
      totals: sum(resource, amounts),
      series: seriesOf(resource, amounts, bucketsOf(period, query.interval)),
    };
  }
}

/** Every bucket of every group, also those in which nothing happened; without any group one that has no name. */
function seriesOf(
  resource: AnalyticsResource,
  amounts: readonly Amount[],
  buckets: readonly number[],
): AnalyticsRecord['series'] {
  const cells = new Map<string, Amount[]>();
  for (const amount of amounts) {
    const name = cellName(amount.start.getTime(), amount.group);
    cells.set(name, [...(cells.get(name) ?? []), amount]);
  }
  const found = [...new Set(amounts.map(({ group }) => group))];
  const groups = found.length === 0 ? [null] : found.sort(nullLast);
  return buckets.flatMap((start) =>
    groups.map((group) => ({
      start: new Date(start).toISOString(),
      group,
      values: sum(resource, cells.get(cellName(start, group)) ?? []),
    })),
  );
}

const cellName = (start: number, group: string | null) => JSON.stringify([start, group]);

function nullLast(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : 1;
}

function sum(resource: AnalyticsResource, amounts: readonly Amount[]): Values {
  const values: Values = Object.fromEntries(measures[resource].map((measure) => [measure, 0]));
  for (const { measure, amount } of amounts) {
    if (values[measure] !== undefined) values[measure] += amount;
  }
  return values;
}
