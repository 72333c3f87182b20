import { z } from 'zod';
import { scopeOf } from '../../core/access/message-scope.js';
import {
  addParticipantBody,
  changeConversationBody,
  conversationKey,
  createConversationBody,
  createLinkBody,
  typingBody,
} from '../../core/conversations/bodies.js';
import type { ReadCapabilities } from '../../core/conversations/capabilities.js';
import type { ConversationStore } from '../../core/conversations/ports.js';
import {
  conversationCapabilitiesRecord,
  conversationList,
  conversationRecord,
  linkList,
  linkRecord,
  participantList,
  participantRecord,
} from '../../core/conversations/record.js';
import type {
  ManageLinks,
  ManageParticipants,
  OpenConversation,
  ReadConversations,
} from '../../core/conversations/use-cases.js';
import { uuid } from '../../core/schema/scalars.js';
import type { TypingSigns } from '../../core/signals/ports.js';
import { listRoute, type Route, route } from '../route.js';

export interface ConversationServices {
  readonly open: OpenConversation;
  readonly read: ReadConversations;
  readonly store: ConversationStore;
  readonly links: ManageLinks;
  readonly participants: ManageParticipants;
  readonly capabilities: ReadCapabilities;
  readonly typing: TypingSigns;
}

const idParams = z.object({ id: conversationKey });
const linkParams = z.object({ id: conversationKey, link_id: uuid });
const acceptedAnswer = z.object({ accepted: z.literal(true) });
const participantParams = z.object({ id: conversationKey, user_id: uuid });
const reading = { tag: 'Conversations', scopes: ['conversations:read'], oauth: 'messages.read' } as const;
const writing = { tag: 'Conversations', scopes: ['conversations:write'], oauth: null } as const;

export function conversationRoutes(services: ConversationServices): Route[] {
  return [
    ...readingRoutes(services),
    ...changingRoutes(services),
    ...participantRoutes(services),
    ...linkRoutes(services),
    ...momentRoutes(services),
  ];
}

function readingRoutes({ read }: ConversationServices): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/conversations',
      summary: 'List conversations',
      response: conversationRecord,
      list: conversationList,
      expand: { participants: reading },
      handler: ({ caller, list }) => read.list(caller, list),
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/openapi/conversations/{id}',
      summary: 'Get one conversation, by id or number',
      params: idParams,
      success: 200,
      response: conversationRecord,
      expand: { participants: reading },
      handler: ({ caller, params }) => read.get(caller, params.id),
    }),
  ];
}

function changingRoutes({ open, store }: ConversationServices): Route[] {
  return [
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/conversations',
      summary: 'Open a conversation, or find the direct one of the same pair and platform',
      body: createConversationBody,
      success: 201,
      response: conversationRecord,
      found: conversationRecord,
      handler: async ({ caller, body, resourceId, claim }) => {
        const { record, created } = await open.execute(caller, body, resourceId, claim?.name);
        return { status: created ? 201 : 200, record };
      },
    }),
    route({
      ...writing,
      method: 'PATCH',
      path: '/openapi/conversations/{id}',
      summary: 'Change a conversation',
      params: idParams,
      body: changeConversationBody,
      success: 200,
      response: conversationRecord,
      handler: ({ caller, params, body }) => store.change(scopeOf(caller), params.id, caller.userId, body),
    }),
    route({
      ...writing,
      method: 'DELETE',
      path: '/openapi/conversations/{id}',
      summary: 'Delete a conversation with its messages and links',
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await store.delete(scopeOf(caller), params.id, caller.userId);
        return undefined;
      },
    }),
  ];
}

function participantRoutes({ participants }: ConversationServices): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/conversations/{id}/participants',
      summary: 'List participants, also those who left',
      params: idParams,
      response: participantRecord,
      list: participantList,
      handler: ({ caller, params, list }) => participants.list(caller, params.id, list),
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/conversations/{id}/participants',
      summary: 'Add a participant',
      params: idParams,
      body: addParticipantBody,
      success: 201,
      response: participantRecord,
      handler: ({ caller, params, body, claim }) => participants.add(caller, params.id, body, claim?.name),
    }),
    route({
      ...writing,
      method: 'DELETE',
      path: '/openapi/conversations/{id}/participants/{user_id}',
      summary: 'Remove a participant',
      params: participantParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await participants.remove(caller, params.id, params.user_id);
        return undefined;
      },
    }),
  ];
}

function linkRoutes({ links }: ConversationServices): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/conversations/{id}/links',
      summary: 'List the connected platform chats',
      params: idParams,
      response: linkRecord,
      list: linkList,
      handler: ({ caller, params, list }) => links.list(caller, params.id, list),
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/conversations/{id}/links',
      summary: 'Connect a platform chat',
      params: idParams,
      body: createLinkBody,
      success: 201,
      response: linkRecord,
      handler: ({ caller, params, body, resourceId, claim }) =>
        links.add(caller, params.id, body, resourceId, claim?.name),
    }),
    route({
      ...writing,
      method: 'DELETE',
      path: '/openapi/conversations/{id}/links/{link_id}',
      summary: 'Disconnect a platform chat and cancel its unsent deliveries',
      params: linkParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await links.remove(caller, params.id, params.link_id);
        return undefined;
      },
    }),
  ];
}

function momentRoutes({ capabilities, typing }: ConversationServices): Route[] {
  return [
    route({
      ...reading,
      method: 'GET',
      path: '/openapi/conversations/{id}/capabilities',
      summary: 'Get the capabilities of a conversation, per platform chat and combined',
      params: idParams,
      success: 200,
      response: conversationCapabilitiesRecord,
      handler: ({ caller, params }) => capabilities.execute(caller, params.id),
    }),
    route({
      method: 'POST',
      path: '/openapi/conversations/{id}/typing',
      summary: 'Show that the caller is typing, or no longer',
      tag: 'Conversations',
      scopes: ['messages:write'],
      oauth: 'messages.write',
      params: idParams,
      body: typingBody,
      success: 200,
      response: acceptedAnswer,
      handler: ({ caller, params, body, claim }) =>
        typing.signal(scopeOf(caller), params.id, caller.userId, body.state, claim?.name),
    }),
  ];
}
