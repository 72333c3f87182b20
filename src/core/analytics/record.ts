import { z } from 'zod';
import { wireTime } from '../schema/scalars.js';

/** The measures of each resource, in display order. */
export const measures = {
  messages: ['inbound', 'outbound', 'internal', 'failed'],
  conversations: ['created', 'resolved'],
  calls: ['started', 'answered', 'failed', 'duration_seconds'],
  broadcasts: ['started', 'recipients', 'sent', 'delivered', 'read', 'failed'],
  webhooks: ['attempts', 'succeeded', 'failed'],
} as const;

export type AnalyticsResource = keyof typeof measures;
export const analyticsResources = Object.keys(measures) as [AnalyticsResource, ...AnalyticsResource[]];
export const analyticsIntervals = ['day', 'hour'] as const;
export const analyticsGroups = ['platform', 'status', 'agent'] as const;

const values = z
  .record(z.string(), z.int())
  .meta({ description: 'Amounts by name; which names there are depends on the resource.' });

/** Analytics as the API returns them, version 1.0. */
export const analyticsRecord = z
  .object({
    resource: z.enum(analyticsResources),
    from: wireTime,
    to: wireTime,
    interval: z.enum(analyticsIntervals),
    group_by: z.enum(analyticsGroups).nullable(),
    totals: values,
    series: z.array(z.object({ start: wireTime, group: z.string().nullable(), values })),
  })
  .meta({ id: 'Analytics' });
export type AnalyticsRecord = z.infer<typeof analyticsRecord>;
