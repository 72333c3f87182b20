import { z } from 'zod';
import { invalidField, invalidRequest } from '../../core/errors.js';
import { KnownFields, unknownField } from '../../core/schema/nearest-field.js';
import { uuid } from '../../core/schema/scalars.js';
import { changeSegmentBody, createSegmentBody, segmentName } from '../../core/segments/bodies.js';
import { segmentList, segmentRecord } from '../../core/segments/record.js';
import type { ManageSegments } from '../../core/segments/use-cases.js';
import { fieldProblems } from '../field-problems.js';
import type { Form } from '../multipart.js';
import { listRoute, type Route, route } from '../route.js';

const MOST_BYTES = 50 * 1024 * 1024;
const FORM_FIELDS = ['name', 'file'];

const formFields = z.object({ name: segmentName });
const idParams = z.object({ id: uuid });
const reading = { tag: 'Segments', scopes: ['broadcasts:read'], oauth: null } as const;
const writing = { tag: 'Segments', scopes: ['broadcasts:write'], oauth: null } as const;
const one = { path: '/openapi/segments/{id}', params: idParams } as const;

export function segmentRoutes(segments: ManageSegments): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/segments',
      summary: 'List segments',
      response: segmentRecord,
      list: segmentList,
      handler: ({ caller, list }) => segments.list(caller, list),
    }),
    createRoute(segments),
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

function createRoute(segments: ManageSegments): Route {
  return route({
    ...writing,
    method: 'POST',
    path: '/openapi/segments',
    summary: 'Create a segment of users, by a filter, or from a CSV file',
    body: createSegmentBody,
    upload: { maxBytes: MOST_BYTES },
    success: 201,
    response: segmentRecord,
    handler: ({ caller, body, form, resourceId, claim }) => {
      if (form === undefined) return segments.create(caller, body, resourceId, claim?.name);
      const { name, file } = readForm(form);
      return segments.createFromFile(caller, name, file, resourceId, claim?.name);
    },
  });
}

/** What a multipart request says; throws `invalid_request`. */
function readForm({ fields, files }: Form): { name: string; file: Buffer } {
  const strange = [...Object.keys(fields), ...files.map(({ field }) => field)].filter(
    (field) => !FORM_FIELDS.includes(field),
  );
  const known = new KnownFields(FORM_FIELDS);
  if (strange.length > 0) {
    throw invalidRequest(strange.map((field) => unknownField(field, known.advice([field]))));
  }
  const read = formFields.safeParse(fields, { reportInput: true });
  if (!read.success) throw invalidRequest(fieldProblems(read.error.issues));
  // A part without a file name counts as text.
  const text = fields.file === undefined ? undefined : Buffer.from(fields.file);
  const file = files.find(({ field }) => field === 'file')?.bytes ?? text;
  if (file === undefined) throw invalidField('file', 'required', 'Expected a CSV file.');
  if (file.length > MOST_BYTES) {
    throw invalidField('file', 'too_large', `Expected at most ${MOST_BYTES} bytes.`);
  }
  return { name: read.data.name, file };
}
