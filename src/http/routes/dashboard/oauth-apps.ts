import { changeOAuthAppBody, createOAuthAppBody } from '../../../core/oauth-apps/bodies.js';
import { oauthAppList, oauthAppRecord } from '../../../core/oauth-apps/record.js';
import type { ManageOAuthApps } from '../../../core/oauth-apps/use-cases.js';
import { listRoute, type Route, route } from '../../route.js';
import { idParams, managing } from './common.js';

export function oauthAppRoutes(apps: ManageOAuthApps): Route[] {
  return [...registryRoutes(apps), ...singleAppRoutes(apps)];
}

function registryRoutes(apps: ManageOAuthApps): Route[] {
  return [
    listRoute({
      ...managing,
      path: '/oauth-apps',
      summary: 'List OAuth apps',
      response: oauthAppRecord,
      list: oauthAppList,
      handler: ({ caller, list }) => apps.list(caller, list),
    }),
    route({
      ...managing,
      method: 'POST',
      path: '/oauth-apps',
      summary: 'Register an OAuth app',
      body: createOAuthAppBody,
      success: 201,
      response: oauthAppRecord,
      handler: ({ caller, body, resourceId }) => apps.create(caller, body, resourceId),
    }),
  ];
}

function singleAppRoutes(apps: ManageOAuthApps): Route[] {
  return [
    route({
      ...managing,
      method: 'PATCH',
      path: '/oauth-apps/{id}',
      summary: 'Change an OAuth app',
      params: idParams,
      body: changeOAuthAppBody,
      success: 200,
      response: oauthAppRecord,
      handler: ({ caller, params, body }) => apps.change(caller, params.id, body),
    }),
    route({
      ...managing,
      method: 'POST',
      path: '/oauth-apps/{id}/rotate-secret',
      summary: 'Give an OAuth app another secret',
      params: idParams,
      success: 200,
      response: oauthAppRecord,
      handler: ({ caller, params }) => apps.rotateSecret(caller, params.id),
    }),
    route({
      ...managing,
      method: 'DELETE',
      path: '/oauth-apps/{id}',
      summary: 'Remove an OAuth app',
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await apps.delete(caller, params.id);
        return undefined;
      },
    }),
  ];
}
