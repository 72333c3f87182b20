import type { AnalyticsResource, analyticsGroups, analyticsIntervals } from './record.js';

export interface InsightQuery {
  readonly workspaceId: string;
  readonly resource: AnalyticsResource;
  /** The period is exact, except that resolutions and webhook attempts of its first and last hour are counted in full. */
  readonly from: Date;
  readonly to: Date;
  readonly interval: (typeof analyticsIntervals)[number];
  readonly groupBy: (typeof analyticsGroups)[number] | null;
}

/** The amount of a measure in a bucket. A missing amount is zero. */
export interface Amount {
  /** The start of a day or hour in UTC, or a local date. */
  readonly start: string;
  readonly group: string | null;
  readonly measure: string;
  readonly amount: number;
}

/** Like {@link InsightQuery}, for the local dates from `from` to `to`. */
export interface LocalInsightQuery extends Omit<InsightQuery, 'from' | 'to'> {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

/** Counts of events, stored separately from the records, so that reading them does not depend on the number of records. */
export interface InsightStore {
  read(query: InsightQuery): Promise<readonly Amount[]>;
  readLocal(query: LocalInsightQuery): Promise<readonly Amount[]>;
  /** Counts a batch of new records. Resolves with whether there are more. Any number of processes may call it. */
  count(): Promise<boolean>;
}
