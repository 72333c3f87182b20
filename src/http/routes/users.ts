import { z } from 'zod';
import { uuid } from '../../core/schema/scalars.js';
import { changeMeBody, changeUserBody, createUserBody, mergeUsersBody } from '../../core/users/bodies.js';
import { userList, userRecord } from '../../core/users/record.js';
import type { ChangeUsers, ReadUsers } from '../../core/users/use-cases.js';
import { listRoute, type Route, route } from '../route.js';

export interface UserUseCases {
  readonly read: ReadUsers;
  readonly change: ChangeUsers;
}

const idParams = z.object({ id: uuid });
const reading = { tag: 'Users', scopes: ['profile:read'], oauth: 'user.read' } as const;
const writing = { tag: 'Users', scopes: ['profile:write'], oauth: null } as const;

export function userRoutes(useCases: UserUseCases): Route[] {
  return [...readingRoutes(useCases), ...changingRoutes(useCases), ...endingRoutes(useCases)];
}

function readingRoutes({ read }: UserUseCases): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/users',
      summary: 'List members, contacts and bots',
      response: userRecord,
      list: userList,
      handler: ({ caller, list }) => read.list(caller, list),
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/openapi/users/me',
      summary: 'Get the own profile',
      success: 200,
      response: userRecord,
      handler: ({ caller }) => read.me(caller),
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/openapi/users/{id}',
      summary: 'Get one user',
      params: idParams,
      success: 200,
      response: userRecord,
      handler: ({ caller, params }) => read.get(caller, params.id),
    }),
  ];
}

function changingRoutes({ change }: UserUseCases): Route[] {
  return [
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/users',
      summary: 'Create a contact',
      body: createUserBody,
      success: 201,
      response: userRecord,
      handler: ({ caller, body, resourceId, claim }) => change.create(caller, body, resourceId, claim?.name),
    }),
    route({
      ...writing,
      method: 'PATCH',
      path: '/openapi/users/me',
      summary: 'Change the own profile',
      body: changeMeBody,
      success: 200,
      response: userRecord,
      handler: ({ caller, body }) => change.changeMe(caller, body),
    }),
    route({
      ...writing,
      method: 'PATCH',
      path: '/openapi/users/{id}',
      summary: 'Change a contact, or the own profile by its id',
      params: idParams,
      body: changeUserBody,
      success: 200,
      response: userRecord,
      handler: ({ caller, params, body }) => change.change(caller, params.id, body),
    }),
  ];
}

/** Operations that remove a contact. */
function endingRoutes({ change }: UserUseCases): Route[] {
  return [
    route({
      ...writing,
      method: 'DELETE',
      path: '/openapi/users/{id}',
      summary: 'Erase a contact',
      wholeWorkspace: true,
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await change.delete(caller, params.id);
        return undefined;
      },
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/users/{id}/merge',
      summary: 'Merge another contact into this one',
      wholeWorkspace: true,
      params: idParams,
      body: mergeUsersBody,
      success: 200,
      response: userRecord,
      handler: ({ caller, params, body, claim }) =>
        change.merge(caller, params.id, body.source_id, claim?.name),
    }),
  ];
}
