import { z } from 'zod';
import { uuid } from '../../core/schema/scalars.js';
import { changeTemplateBody, createTemplateBody } from '../../core/templates/bodies.js';
import { templateList, templateRecord } from '../../core/templates/record.js';
import type { ManageTemplates } from '../../core/templates/use-cases.js';
import { listRoute, type Route, route } from '../route.js';

const idParams = z.object({ id: uuid });
const reading = { tag: 'Templates', scopes: ['broadcasts:read'], oauth: null } as const;
const writing = { tag: 'Templates', scopes: ['broadcasts:write'], oauth: null } as const;
const one = { path: '/openapi/templates/{id}', params: idParams } as const;

export function templateRoutes(templates: ManageTemplates): Route[] {
  return [...collectionRoutes(templates), ...recordRoutes(templates)];
}

function collectionRoutes(templates: ManageTemplates): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/templates',
      summary: 'List templates',
      response: templateRecord,
      list: templateList,
      handler: ({ caller, list }) => templates.list(caller, list),
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/templates',
      summary: 'Create a template',
      body: createTemplateBody,
      success: 201,
      response: templateRecord,
      handler: ({ caller, body, resourceId, claim }) =>
        templates.create(caller, body, resourceId, claim?.name),
    }),
  ];
}

function recordRoutes(templates: ManageTemplates): Route[] {
  return [
    route({
      ...reading,
      ...one,
      method: 'GET',
      summary: 'Get one template',
      success: 200,
      response: templateRecord,
      handler: ({ caller, params }) => templates.get(caller, params.id),
    }),
    route({
      ...writing,
      ...one,
      method: 'PATCH',
      summary: 'Change a template',
      body: changeTemplateBody,
      success: 200,
      response: templateRecord,
      handler: ({ caller, params, body }) => templates.change(caller, params.id, body),
    }),
    route({
      ...writing,
      ...one,
      method: 'DELETE',
      summary: 'Delete a template; broadcasts keep their copies of it',
      success: 204,
      handler: async ({ caller, params }) => {
        await templates.delete(caller, params.id);
        return undefined;
      },
    }),
  ];
}
