import { z } from 'zod';
import { createBroadcastBody } from '../../../core/broadcasts/bodies.js';
import type { ExportRecipients } from '../../../core/broadcasts/export.js';
import {
  broadcastProgress,
  broadcastRecipientList,
  platformCountRecord,
} from '../../../core/broadcasts/record.js';
import type { RehearsalProgress } from '../../../core/broadcasts/rehearsal/record.js';
import type { RehearseBroadcast } from '../../../core/broadcasts/rehearsal/rehearse.js';
import type { ReadBroadcasts } from '../../../core/broadcasts/use-cases.js';
import { readFilters } from '../../../core/listing/filter.js';
import { csvAnswer } from '../../csv-answer.js';
import { progressAnswer } from '../../progress-answer.js';
import { type Route, route } from '../../route.js';
import { dashboard, idParams } from './common.js';

const reading = { ...dashboard, scopes: ['broadcasts:read'], wholeWorkspace: true } as const;
const exportQuery = z.object({ filter: z.string().optional() });

/** Data about broadcasts that only the dashboard shows. */
export function broadcastProgressRoutes(broadcasts: ReadBroadcasts, exports: ExportRecipients): Route[] {
  return [
    route({
      ...reading,
      method: 'GET',
      path: '/broadcasts/{id}/progress',
      summary: 'Get how far a broadcast is, without its contents and audience',
      params: idParams,
      success: 200,
      response: broadcastProgress,
      handler: ({ caller, params }) => broadcasts.getProgress(caller, params.id),
    }),
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

/** The dry run of a broadcast, before it is stored. */
export function rehearsalRoutes(rehearsals: RehearseBroadcast): Route[] {
  return [
    route({
      ...dashboard,
      scopes: ['broadcasts:write'],
      wholeWorkspace: true,
      method: 'POST',
      path: '/broadcasts/rehearsal',
      summary:
        'Play a broadcast within the limits of its platforms, as lines of JSON; the last one is the result',
      body: createBroadcastBody,
      success: 200,
      handler: ({ caller, body, resourceId, isStillValid }) =>
        progressAnswer<RehearsalProgress>(
          async (watch) => ({ rehearsal: await rehearsals.execute(caller, body, resourceId, watch) }),
          isStillValid,
        ),
    }),
  ];
}
