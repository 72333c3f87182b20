import { appGrantRecord, grantList } from '../../../core/oauth/record.js';
import { changeOAuthAppBody, createOAuthAppBody } from '../../../core/oauth-apps/bodies.js';
import { oauthAppList, oauthAppRecord } from '../../../core/oauth-apps/record.js';
import type { ManageOAuthApps } from '../../../core/oauth-apps/use-cases.js';
import { listRoute, type Route, route } from '../../route.js';
import { idParams, managing, revoking } from './common.js';

export function oauthAppRoutes(apps: ManageOAuthApps): Route[] {
  return [...registryRoutes(apps), ...singleAppRoutes(apps), ...grantRoutes(apps)];
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

function grantRoutes(apps: ManageOAuthApps): Route[] {
  return [
    listRoute({
      ...managing,
      path: '/oauth-apps/{id}/grants',
      summary: 'List the members for whom an OAuth app acts',
      params: idParams,
      response: appGrantRecord,
      list: grantList,
      handler: ({ caller, params, list }) => apps.grants(caller, params.id, list),
    }),
    route({
      ...revoking,
      method: 'DELETE',
      path: '/oauth-app-grants/{id}',
      summary: 'End the grant that a member gave to an OAuth app',
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await apps.revokeGrant(caller, params.id);
        return undefined;
      },
    }),
  ];
}

function singleAppRoutes(apps: ManageOAuthApps): Route[] {
  return [
    route({
      ...revoking,
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
      ...revoking,
      method: 'POST',
      path: '/oauth-apps/{id}/rotate-secret',
      summary: 'Give an OAuth app another secret',
      params: idParams,
      success: 200,
      response: oauthAppRecord,
      handler: ({ caller, params }) => apps.rotateSecret(caller, params.id),
    }),
    route({
      ...revoking,
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
