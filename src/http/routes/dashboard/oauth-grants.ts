import { z } from 'zod';
import { consentBody } from '../../../core/oauth/bodies.js';
import { grantList, grantRecord } from '../../../core/oauth/record.js';
import type { ManageGrants } from '../../../core/oauth/use-cases.js';
import { listRoute, type Route, route } from '../../route.js';
import { dashboard, idParams } from './common.js';

/** The grants that a user gave to apps. */
export function oauthGrantRoutes(grants: ManageGrants): Route[] {
  return [
    route({
      ...dashboard,
      method: 'POST',
      path: '/oauth/consent',
      summary: 'Approve or deny the request of an app',
      body: consentBody,
      success: 200,
      response: z.object({ redirect_to: z.string() }),
      handler: ({ caller, body }) => grants.consent(caller, body),
    }),
    listRoute({
      ...dashboard,
      path: '/oauth/grants',
      summary: 'List the apps that act for the user',
      response: grantRecord,
      list: grantList,
      handler: ({ caller, list }) => grants.list(caller, list),
    }),
    route({
      ...dashboard,
      endsCredentials: true,
      method: 'DELETE',
      path: '/oauth/grants/{id}',
      summary: 'End the grant of an app',
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await grants.revoke(caller, params.id);
        return undefined;
      },
    }),
  ];
}
