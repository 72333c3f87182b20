import { z } from 'zod';
import { analyticsQuery } from '../../core/analytics/period.js';
import { analyticsRecord, analyticsResources } from '../../core/analytics/record.js';
import type { ReadAnalytics } from '../../core/analytics/use-cases.js';
import { type Route, route } from '../route.js';

export function analyticsRoutes(read: ReadAnalytics): Route[] {
  return [
    route({
      method: 'GET',
      path: '/openapi/analytics/{resource}',
      summary: 'Count what happened, by day or hour',
      tag: 'Analytics',
      scopes: ['analytics:read'],
      oauth: null,
      wholeWorkspace: true,
      params: z.object({ resource: z.enum(analyticsResources) }),
      query: analyticsQuery,
      success: 200,
      response: analyticsRecord,
      handler: ({ caller, params, query }) => read.execute(caller, params.resource, query),
    }),
  ];
}
