import type { AnalyticsResource, analyticsGroups, analyticsIntervals } from './record.js';

export interface InsightQuery {
  readonly workspaceId: string;
  readonly resource: AnalyticsResource;
  /** Hours are counted whole: from the one that holds `from` to the one before `to`. */
  readonly from: Date;
  readonly to: Date;
  readonly interval: (typeof analyticsIntervals)[number];
  readonly groupBy: (typeof analyticsGroups)[number] | null;
}

/** How much of a measure there was in a bucket; what is missing is zero. */
export interface Amount {
  /** The time at which a day or an hour of UTC begins, or a local date. */
  readonly start: string;
  readonly group: string | null;
  readonly measure: string;
  readonly amount: number;
}

/** As {@link InsightQuery}, for the local dates from `from` to `to`. */
export interface LocalInsightQuery extends Omit<InsightQuery, 'from' | 'to'> {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

/** Counts of what happened, kept apart from the records so that reading them does not depend on how many these are. */
export interface InsightStore {
  read(query: InsightQuery): Promise<readonly Amount[]>;
  readLocal(query: LocalInsightQuery): Promise<readonly Amount[]>;
  /** Counts a batch of what is new. Resolves with whether there is more; any number of processes may call it. */
  count(): Promise<boolean>;
}
