import { z } from 'zod';
import { broadcastChangeBody, changePreviewQuery } from '../../../core/broadcasts/changes/bodies.js';
import {
  broadcastChangeRecipientList,
  broadcastChangeRecipientRecord,
  broadcastChangeRecord,
  changePreviewRecord,
} from '../../../core/broadcasts/changes/record.js';
import type { ChangeSentBroadcast } from '../../../core/broadcasts/changes/use-cases.js';
import { listRoute, type Route, route } from '../../route.js';
import { dashboard, idParams } from './common.js';

const common = { ...dashboard, params: idParams, wholeWorkspace: true } as const;
const reading = { ...common, scopes: ['broadcasts:read'] } as const;
const writing = { ...common, scopes: ['broadcasts:write'] } as const;

/** Edits and recalls of ended broadcasts. */
export function broadcastChangeRoutes(changes: ChangeSentBroadcast): Route[] {
  return [
    route({
      ...reading,
      method: 'GET',
      path: '/broadcasts/{id}/changes/preview',
      summary: 'Count for how many recipients, by platform, an ended broadcast can be edited or recalled',
      query: changePreviewQuery,
      success: 200,
      response: changePreviewRecord,
      handler: ({ caller, params, query }) => changes.preview(caller, params.id, query.kind),
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/broadcasts/{id}/changes',
      summary: 'Get the newest 20 edits and recalls of a broadcast with their progress',
      success: 200,
      response: z.object({ data: z.array(broadcastChangeRecord) }),
      handler: async ({ caller, params }) => ({ data: await changes.list(caller, params.id) }),
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/broadcasts/{id}/changes',
      summary: 'Edit or recall what an ended broadcast has sent',
      body: broadcastChangeBody,
      success: 201,
      response: broadcastChangeRecord,
      handler: ({ caller, params, body, resourceId }) => changes.start(caller, params.id, body, resourceId),
    }),
    listRoute({
      ...reading,
      path: '/broadcast-changes/{id}/recipients',
      summary: 'List the recipients of an edit or recall with their results',
      response: broadcastChangeRecipientRecord,
      list: broadcastChangeRecipientList,
      handler: ({ caller, params, list }) => changes.recipients(caller, params.id, list),
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/broadcast-changes/{id}/stop',
      summary: 'Stop an edit or recall: no further message is changed',
      success: 200,
      response: broadcastChangeRecord,
      handler: ({ caller, params }) => changes.stop(caller, params.id),
    }),
  ];
}
