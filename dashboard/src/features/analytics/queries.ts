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

/** What a person chose; the dates are those of a range of their own. */
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

/** The first and the last date of a view; undefined when a date is missing or they are in the wrong order. */
function datesOf({ range, from, to, timeZone }: View): { from: string; to: string } | undefined {
  if (range === 'custom') return from !== '' && from <= to ? { from, to } : undefined;
  const today = dateIn(timeZone);
  return { from: daysBefore(today, DAYS[range] - 1), to: today };
}

const lengthOf = ({ from, to }: { from: string; to: string }): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

export type Asked = AnalyticsQuery | 'dates' | 'days';

/** What to ask for a view, or what is wrong with its dates. */
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
