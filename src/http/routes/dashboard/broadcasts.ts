import { z } from 'zod';
import type { ExportRecipients } from '../../../core/broadcasts/export.js';
import { broadcastRecipientList, platformCountRecord } from '../../../core/broadcasts/record.js';
import type { ReadBroadcasts } from '../../../core/broadcasts/use-cases.js';
import { readFilters } from '../../../core/listing/filter.js';
import { csvAnswer } from '../../csv-answer.js';
import { type Route, route } from '../../route.js';
import { dashboard, idParams } from './common.js';

const reading = { ...dashboard, scopes: ['broadcasts:read'] } as const;
const exportQuery = z.object({ filter: z.string().optional() });

/** What the dashboard shows of broadcasts and the REST interface does not. */
export function broadcastProgressRoutes(broadcasts: ReadBroadcasts, exports: ExportRecipients): Route[] {
  return [
    route({
      ...reading,
      method: 'GET',
      path: '/broadcasts/{id}/platforms',
      summary: 'Count the recipients of a broadcast by platform and status',
      params: idParams,
      success: 200,
      response: z.object({ data: z.array(platformCountRecord) }),
      handler: async ({ caller, params }) => ({ data: await broadcasts.countByPlatform(caller, params.id) }),
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/broadcasts/{id}/recipients/export',
      summary: 'Get the recipients of a broadcast as CSV, filtered as their list',
      params: idParams,
      query: exportQuery,
      success: 200,
      handler: ({ caller, params, query: { filter }, isStillValid }) => {
        const asked = readFilters(filter === undefined ? [] : [filter], broadcastRecipientList);
        return csvAnswer('recipients.csv', exports.lines(caller, params.id, asked, isStillValid));
      },
    }),
  ];
}
