import { z } from 'zod';
import type { RequestLogStore } from '../../../core/request-log/ports.js';
import { loggedRequest, requestList } from '../../../core/request-log/record.js';
import { listRoute, type Route } from '../../route.js';
import { managing } from './common.js';

const selection = z.object({ path_prefix: z.string().max(256).optional() });

export function requestRoutes(requests: RequestLogStore): Route[] {
  return [
    listRoute({
      ...managing,
      path: '/requests',
      summary: 'List the requests of the last 24 hours',
      query: selection,
      response: loggedRequest,
      list: requestList,
      handler: ({ caller, list, query }) => requests.list(caller.workspaceId, list, query.path_prefix),
    }),
  ];
}
