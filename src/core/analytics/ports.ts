import type { AnalyticsResource, analyticsGroups, analyticsIntervals } from './record.js';

export interface InsightQuery {
  readonly workspaceId: string;
  readonly resource: AnalyticsResource;
  /** The period is exact, except that resolutions and webhook attempts of its first and last hour are counted in full. */
  readonly from: Date;
  readonly to: Date;
  readonly interval: (typeof analyticsIntervals)[number];
  readonly groupBy: (typeof analyticsGroups)[number] | null;
  /** The largest groups are returned. The rest is combined as the group `other`. */
  readonly maxGroups: number;
}

/** Amounts by bucket. A bucket that is missing has none. */
export interface Amounts {
  /** The starts of the buckets: days or hours in UTC, or local dates. */
  readonly starts: readonly string[];
  readonly series: readonly AmountSeries[];
}

/** The amounts of a measure of one group, one for each start. */
export interface AmountSeries {
  readonly group: string | null;
  readonly measure: string;
  readonly amounts: readonly number[];
}

/** Like {@link InsightQuery}, for the local dates from `from` to `to`. */
export interface LocalInsightQuery extends Omit<InsightQuery, 'from' | 'to'> {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

/** Counts of events, stored separately from the records, so that reading them does not depend on the number of records. */
export interface InsightStore {
  read(query: InsightQuery): Promise<Amounts>;
  readLocal(query: LocalInsightQuery): Promise<Amounts>;
  /** Counts a batch of new records. Resolves with whether there are more. Any number of processes may call it. */
  count(): Promise<boolean>;
}
