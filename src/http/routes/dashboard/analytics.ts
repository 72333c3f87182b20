import { localAnalyticsQuery, localAnalyticsRecord } from '../../../core/analytics/local-record.js';
import type { ReadLocalAnalytics } from '../../../core/analytics/local-use-cases.js';
import { csvAnswer } from '../../csv-answer.js';
import { type Route, route } from '../../route.js';
import { dashboard } from './common.js';

const reading = { ...dashboard, scopes: ['analytics:read'], wholeWorkspace: true } as const;

/** Analytics by the days of a time zone. The REST API uses days in UTC. */
export function localAnalyticsRoutes(read: ReadLocalAnalytics): Route[] {
  return [
    route({
      ...reading,
      method: 'GET',
      path: '/analytics',
      summary: 'Count what happened, by day or hour of a time zone',
      query: localAnalyticsQuery,
      success: 200,
      response: localAnalyticsRecord,
      handler: ({ caller, query }) => read.execute(caller, query),
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/analytics/export',
      summary: 'Get the same counts as CSV',
      query: localAnalyticsQuery,
      success: 200,
      handler: ({ caller, query }) => csvAnswer(`${query.resource}.csv`, read.lines(caller, query)),
    }),
  ];
}
