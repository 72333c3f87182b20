import { requireOperator } from '../../../core/access/roles.js';
import { changeWorkspaceBody, createWorkspaceBody } from '../../../core/workspaces/bodies.js';
import { workspaceRecord } from '../../../core/workspaces/record.js';
import type { ManageWorkspaces } from '../../../core/workspaces/use-cases.js';
import { type Route, route } from '../../route.js';
import { dashboard, managing } from './common.js';

export function workspaceRoutes(workspaces: ManageWorkspaces): Route[] {
  return [
    route({
      ...dashboard,
      method: 'GET',
      path: '/workspace',
      summary: 'Get the own workspace',
      success: 200,
      response: workspaceRecord,
      handler: ({ caller }) => workspaces.get(caller),
    }),
    route({
      ...managing,
      method: 'PATCH',
      path: '/workspace',
      summary: 'Change the own workspace',
      body: changeWorkspaceBody,
      success: 200,
      response: workspaceRecord,
      handler: ({ caller, body }) => workspaces.change(caller, body),
    }),
    route({
      ...dashboard,
      admits: requireOperator,
      method: 'POST',
      path: '/workspaces',
      summary: 'Make a workspace with its owner',
      body: createWorkspaceBody,
      success: 201,
      response: workspaceRecord,
      handler: ({ body }) => workspaces.create(body),
    }),
  ];
}
