import { z } from 'zod';
import { invalidField } from '../common/errors.js';
import { timestamp } from '../schema/scalars.js';
import { analyticsGroups, analyticsIntervals } from './record.js';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_MS = 7 * DAY_MS;
const MAX_DAYS = { day: 400, hour: 31 } as const;

/** The query of GET analytics. */
export const analyticsQuery = z.object({
  from: timestamp.optional(),
  to: timestamp.optional(),
  interval: z.enum(analyticsIntervals).default('day'),
  group_by: z.enum(analyticsGroups).optional(),
});
export type AnalyticsQuery = z.output<typeof analyticsQuery>;

/** A time range in milliseconds since 1970; `to` is exclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The requested range, by default the last 7 days. Raises `invalid_request` for an empty or too long range. */
export function periodOf(query: AnalyticsQuery, now: number): Period {
  const to = query.to === undefined ? now : Date.parse(query.to);
  const from = query.from === undefined ? Math.max(0, to - DEFAULT_MS) : Date.parse(query.from);
  if (from >= to) {
    const [field, place] = query.from === undefined ? ['to', 'after 1970'] : ['from', 'before to'];
    throw invalidField(field ?? 'from', 'invalid_value', `Expected a time ${place}.`);
  }
  const days = MAX_DAYS[query.interval];
  if (to - from > days * DAY_MS) {
    const field = query.from === undefined ? 'to' : 'from';
    throw invalidField(
      field,
      'too_large',
      `Expected at most ${days} days between from and to by ${query.interval}.`,
    );
  }
  return { from, to };
}

/** The starts (UTC) of all buckets that overlap the period. */
export function bucketsOf({ from, to }: Period, interval: 'day' | 'hour'): string[] {
  const width = interval === 'day' ? DAY_MS : HOUR_MS;
  const starts: string[] = [];
  for (let start = from - (from % width); start < to; start += width)
    starts.push(new Date(start).toISOString());
  return starts;
}
