/** Analytics requests of the dashboard. As in session-paths.ts, these types are written by hand. */

export type AnalyticsResource = 'messages' | 'conversations' | 'calls' | 'broadcasts' | 'webhooks';
export type AnalyticsGroup = 'platform' | 'status' | 'agent';
export type AnalyticsInterval = 'day' | 'hour';

export interface LocalAnalytics {
  readonly resource: AnalyticsResource;
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
  readonly interval: AnalyticsInterval;
  readonly group_by: AnalyticsGroup | null;
  readonly totals: Readonly<Record<string, number>>;
  readonly series: {
    /** A local date, or the start time of an hour. */
    readonly start: string;
    readonly group: string | null;
    readonly values: Readonly<Record<string, number>>;
  }[];
}

export interface AnalyticsQuery {
  readonly resource: AnalyticsResource;
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
  readonly interval: AnalyticsInterval;
  readonly group_by?: AnalyticsGroup;
}

export interface AnalyticsPaths {
  '/analytics': {
    get: {
      parameters: { query: AnalyticsQuery };
      responses: { 200: { content: { 'application/json': LocalAnalytics } } };
    };
  };
}
