import { homeRecord } from '../../../core/home/record.js';
import type { ReadHome } from '../../../core/home/use-cases.js';
import { type Route, route } from '../../route.js';
import { dashboard } from './common.js';

/** The data of the dashboard's first screen. */
export function homeRoutes(home: ReadHome): Route[] {
  return [
    route({
      ...dashboard,
      scopes: ['messages:read', 'platforms:read', 'analytics:read'],
      method: 'GET',
      path: '/home',
      summary: 'Get the state of the workspace: connections, deliveries, webhooks and traffic',
      success: 200,
      response: homeRecord,
      handler: ({ caller }) => home.execute(caller),
    }),
  ];
}
