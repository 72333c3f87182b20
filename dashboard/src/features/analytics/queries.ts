import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  AnalyticsGroup,
  AnalyticsInterval,
  AnalyticsQuery,
  AnalyticsResource,
} from '../../api/analytics-paths';
import { api, must } from '../../api/client';

export const DAYS = { today: 1, week: 7, month: 30, quarter: 90, year: 365 } as const;
export type Range = keyof typeof DAYS | 'custom';

/** The view that the user selected. The dates are those of a custom range. */
export interface View {
  readonly range: Range;
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly interval: AnalyticsInterval;
  readonly group: AnalyticsGroup | '';
}

const DAY_MS = 86_400_000;
const MAX_DAYS = { day: 400, hour: 31 } as const;
const REFRESH_MS = 60_000;

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** The date in a time zone. */
function dateIn(timeZone: string, at = Date.now()): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(at);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

const daysBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10);

/** The first and the last date of a view. Undefined if a date is missing or the order is wrong. */
function datesOf({ range, from, to, timeZone }: View): { from: string; to: string } | undefined {
  if (range === 'custom') return from !== '' && from <= to ? { from, to } : undefined;
  const today = dateIn(timeZone);
  return { from: daysBefore(today, DAYS[range] - 1), to: today };
}

const lengthOf = ({ from, to }: { from: string; to: string }): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

export type Asked = AnalyticsQuery | 'dates' | 'days';

/** The request for a view, or the problem with its dates. */
export function queryOf(resource: AnalyticsResource, view: View): Asked {
  const dates = datesOf(view);
  if (dates === undefined) return 'dates';
  const days = lengthOf(dates);
  if (days > MAX_DAYS.day) return 'days';
  const interval = days > MAX_DAYS.hour ? 'day' : view.interval;
  const asked = { resource, ...dates, time_zone: view.timeZone, interval };
  return view.group === '' ? asked : { ...asked, group_by: view.group };
}

export const analyticsQuery = (query: AnalyticsQuery) =>
  queryOptions({
    queryKey: ['analytics', query],
    queryFn: ({ signal }) => must(api.GET('/analytics', { params: { query }, signal })),
    refetchInterval: REFRESH_MS,
    placeholderData: (old, last) =>
      (last?.queryKey[1] as AnalyticsQuery | undefined)?.resource === query.resource
        ? keepPreviousData(old)
        : undefined,
  });

export function exportUrl(query: AnalyticsQuery): string {
  return `/dashboard/api/analytics/export?${new URLSearchParams({ ...query })}`;
}
