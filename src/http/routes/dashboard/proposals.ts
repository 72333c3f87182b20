import { z } from 'zod';
import { conversationKey } from '../../../core/conversations/bodies.js';
import { messageRecord } from '../../../core/messages/record.js';
import { approveProposalBody, proposalRecord } from '../../../core/proposals/record.js';
import type { Proposals } from '../../../core/proposals/use-cases.js';
import { type Route, route } from '../../route.js';
import { dashboard, idParams } from './common.js';

const deciding = { ...dashboard, scopes: ['messages:write'] } as const;

/** Messages that agents propose, and the decisions of members about them. */
export function proposalRoutes(proposals: Proposals): Route[] {
  return [
    route({
      ...dashboard,
      scopes: ['messages:read'],
      method: 'GET',
      path: '/conversations/{id}/proposals',
      summary: 'List the messages that agents propose and that can be approved now',
      params: z.object({ id: conversationKey }),
      success: 200,
      response: z.object({ data: z.array(proposalRecord) }),
      handler: async ({ caller, params }) => ({ data: await proposals.pending(caller, params.id) }),
    }),
    route({
      ...deciding,
      method: 'POST',
      path: '/proposals/{id}/approve',
      summary: 'Send a proposed message as the member, with its text or another one',
      params: idParams,
      body: approveProposalBody,
      success: 201,
      response: messageRecord,
      handler: ({ caller, params, body }) => proposals.approve(caller, params.id, body),
    }),
    route({
      ...deciding,
      method: 'POST',
      path: '/proposals/{id}/refuse',
      summary: 'Refuse a proposed message',
      params: idParams,
      success: 200,
      response: proposalRecord,
      handler: ({ caller, params }) => proposals.refuse(caller, params.id),
    }),
  ];
}
