import { z } from 'zod';
import {
  tvNetworkList,
  tvNetworkRecord,
  tvProgrammeList,
  tvProgrammeRecord,
} from '../../../core/extras/tv/record.js';
import { type ReadTvGuide, scheduleQuery } from '../../../core/extras/tv/use-cases.js';
import { text } from '../../../core/schema/scalars.js';
import { listRoute, type Route, route } from '../../route.js';

const networkParams = z.object({ id: text(1, 256) });
const reading = { tag: 'Television', scopes: ['tv:read'], oauth: null } as const;

export function tvRoutes(guide: ReadTvGuide): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/tv/networks',
      summary: 'List television networks',
      response: tvNetworkRecord,
      list: tvNetworkList,
      handler: ({ caller, list }) => guide.networks(caller, list),
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/openapi/tv/networks/{id}',
      summary: 'Get one network',
      params: networkParams,
      success: 200,
      response: tvNetworkRecord,
      handler: ({ params }) => guide.network(params.id),
    }),
    listRoute({
      ...reading,
      path: '/openapi/tv/networks/{id}/schedule',
      summary: 'List what a network shows',
      params: networkParams,
      query: scheduleQuery,
      response: tvProgrammeRecord,
      list: tvProgrammeList,
      handler: ({ caller, params, query, list }) => guide.schedule(caller, params.id, query, list),
    }),
  ];
}
