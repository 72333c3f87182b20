import { z } from 'zod';
import { timezone } from '../schema/scalars.js';
import { analyticsGroups, analyticsIntervals, analyticsResources, measures } from './record.js';

/** The measures of the dashboard. For conversations they include response and resolution times. */
export const localMeasures = {
  ...measures,
  conversations: [...measures.conversations, 'responded', 'response_seconds', 'closed', 'resolution_seconds'],
} as const;

const date = z.iso.date().refine((value) => value >= '1970-01-02' && value <= '9999-12-30', {
  message: 'must be a date from 1970-01-02 to 9999-12-30',
  params: { code: 'invalid_value' },
});

/** The query of the dashboard's analytics: whole days in a time zone. */
export const localAnalyticsQuery = z.object({
  resource: z.enum(analyticsResources).default('messages'),
  from: date.optional(),
  to: date.optional(),
  time_zone: timezone.default('UTC'),
  interval: z.enum(analyticsIntervals).default('day'),
  group_by: z.enum(analyticsGroups).optional(),
});
export type LocalAnalyticsQuery = z.output<typeof localAnalyticsQuery>;

const values = z.record(z.string(), z.int());

export const localAnalyticsRecord = z.object({
  resource: z.enum(analyticsResources),
  from: z.string(),
  to: z.string(),
  time_zone: z.string(),
  interval: z.enum(analyticsIntervals),
  group_by: z.enum(analyticsGroups).nullable(),
  totals: values,
  /** `start` is a local date, or the time at which an hour begins. */
  series: z.array(z.object({ start: z.string(), group: z.string().nullable(), values })),
});
export type LocalAnalyticsRecord = z.infer<typeof localAnalyticsRecord>;
