import { z } from 'zod';
import type { ChatIdentities } from '../../../core/proposals/chat-identities.js';
import { chatCodeRecord, chatIdentityRecord } from '../../../core/proposals/chat-record.js';
import { type Route, route } from '../../route.js';
import { dashboard, idParams } from './common.js';

/** The chat accounts of a member, for decisions on proposals in the staff chat. */
export function chatIdentityRoutes(identities: ChatIdentities): Route[] {
  return [
    route({
      ...dashboard,
      method: 'GET',
      path: '/chat-identities',
      summary: 'The accounts that decide for the person in the staff chat',
      success: 200,
      response: z.object({ data: z.array(chatIdentityRecord) }),
      handler: async ({ caller }) => ({ data: await identities.list(caller) }),
    }),
    route({
      ...dashboard,
      method: 'POST',
      path: '/chat-identities/code',
      summary: 'Get a code that links the account which writes it in the staff chat',
      success: 201,
      response: chatCodeRecord,
      handler: ({ caller }) => identities.makeCode(caller),
    }),
    route({
      ...dashboard,
      method: 'DELETE',
      path: '/chat-identities/{id}',
      summary: 'Unlink an account',
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await identities.remove(caller, params.id);
        return undefined;
      },
    }),
  ];
}
