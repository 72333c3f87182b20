import { z } from 'zod';
import { changePasswordBody } from '../../../core/sessions/bodies.js';
import type { OwnSessions } from '../../../core/sessions/own-sessions.js';
import { signedInBrowserRecord } from '../../../core/sessions/record.js';
import { type Route, route } from '../../route.js';
import { dashboard, idParams } from './common.js';

/** Sessions and password of the signed-in person. */
export function ownSessionRoutes(sessions: OwnSessions): Route[] {
  return [
    route({
      ...dashboard,
      method: 'GET',
      path: '/sessions',
      summary: 'Where the person is signed in',
      success: 200,
      response: z.object({ data: z.array(signedInBrowserRecord) }),
      handler: ({ caller }) => sessions.list(caller),
    }),
    route({
      ...dashboard,
      method: 'DELETE',
      path: '/sessions',
      summary: 'Sign out everywhere else',
      success: 204,
      handler: async ({ caller }) => {
        await sessions.endOthers(caller);
        return undefined;
      },
    }),
    route({
      ...dashboard,
      method: 'DELETE',
      path: '/sessions/{id}',
      summary: 'Sign out somewhere else',
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await sessions.end(caller, params.id);
        return undefined;
      },
    }),
    route({
      ...dashboard,
      method: 'PUT',
      path: '/password',
      summary: 'Change the password',
      body: changePasswordBody,
      success: 204,
      handler: async ({ caller, body, address }) => {
        await sessions.changePassword(caller, body, address);
        return undefined;
      },
    }),
  ];
}
