import { z } from 'zod';
import type { MediaFiles } from '../../core/media/ports.js';
import { uuid } from '../../core/schema/scalars.js';
import { changeSegmentBody, createSegmentBody, segmentName } from '../../core/segments/bodies.js';
import { segmentList, segmentRecord } from '../../core/segments/record.js';
import type { ManageSegments } from '../../core/segments/use-cases.js';
import { listRoute, type Route, route } from '../route.js';

const MAX_BYTES = 50 * 1024 * 1024;

/** The fields of a form other than its file. */
const listFields = z.object({ name: segmentName });
const idParams = z.object({ id: uuid });
const reading = { tag: 'Segments', scopes: ['broadcasts:read'], oauth: null } as const;
const writing = { tag: 'Segments', scopes: ['broadcasts:write'], oauth: null } as const;
const one = { path: '/openapi/segments/{id}', params: idParams } as const;

export function segmentRoutes(segments: ManageSegments, files: MediaFiles): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/segments',
      summary: 'List segments',
      response: segmentRecord,
      list: segmentList,
      handler: ({ caller, list }) => segments.list(caller, list),
    }),
    createRoute(segments, files),
    route({
      ...reading,
      ...one,
      method: 'GET',
      summary: 'Get one segment',
      success: 200,
      response: segmentRecord,
      handler: ({ caller, params }) => segments.get(caller, params.id),
    }),
    route({
      ...writing,
      ...one,
      method: 'PATCH',
      summary: 'Change a segment; its kind stays',
      body: changeSegmentBody,
      success: 200,
      response: segmentRecord,
      handler: ({ caller, params, body }) => segments.change(caller, params.id, body),
    }),
    route({
      ...writing,
      ...one,
      method: 'DELETE',
      summary: 'Delete a segment; broadcasts that were accepted with it keep its members',
      success: 204,
      handler: async ({ caller, params }) => {
        await segments.delete(caller, params.id);
        return undefined;
      },
    }),
  ];
}

function createRoute(segments: ManageSegments, files: MediaFiles): Route {
  return route({
    ...writing,
    method: 'POST',
    path: '/openapi/segments',
    summary: 'Create a segment of users, by a filter, or from a CSV file',
    body: createSegmentBody,
    upload: {
      fields: listFields,
      streamed: {
        part: 'file',
        maxBytes: MAX_BYTES,
        takesText: true,
        stage: (source, maxBytes) => files.stage(source, maxBytes),
        discard: (file) => files.discard(file),
      },
    },
    success: 201,
    response: segmentRecord,
    handler: ({ caller, body, form, file, resourceId, claim }) => {
      if (file === undefined) return segments.create(caller, body, resourceId, claim?.name);
      const { name } = form as z.output<typeof listFields>;
      return segments.createFromFile(caller, name, () => files.read(file), resourceId, claim?.name);
    },
  });
}
