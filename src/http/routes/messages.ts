import { z } from 'zod';
import { type ExpandMessages, messageExpansions } from '../../core/conversations/expand-messages.js';
import type { ActOnMessages } from '../../core/messages/act.js';
import { editMessageBody, sendMessageBody } from '../../core/messages/bodies.js';
import { messageList, messageRecord } from '../../core/messages/record.js';
import { messageTraceRecord } from '../../core/messages/trace.js';
import type { ChangeMessage, ReadMessages, SendMessage } from '../../core/messages/use-cases.js';
import { conversationDigits, uuid } from '../../core/schema/scalars.js';
import { listRoute, type Route, route } from '../route.js';

export interface MessageUseCases {
  readonly send: SendMessage;
  readonly read: ReadMessages;
  readonly expand: ExpandMessages;
  readonly change: ChangeMessage;
  readonly act: ActOnMessages;
}

const idParams = z.object({ id: uuid });
const reactionParams = z.object({
  id: uuid,
  emoji: z.string().meta({ description: 'One Unicode emoji or `:name:`, percent-encoded.', example: '👍' }),
});
const writing = { tag: 'Messages', scopes: ['messages:write'], oauth: 'messages.write' } as const;
const conversationQuery = z.object({
  conversation_id: z.union([uuid, conversationDigits]).optional(),
});

export function messageRoutes(useCases: MessageUseCases): Route[] {
  return [...readingRoutes(useCases), ...changingRoutes(useCases), ...actingRoutes(useCases)];
}

function readingRoutes({ read, expand: add }: MessageUseCases): Route[] {
  return [
    listRoute({
      path: '/openapi/messages',
      summary: 'List messages, of one conversation or all visible ones',
      tag: 'Messages',
      scopes: ['messages:read'],
      oauth: 'messages.read',
      query: conversationQuery,
      response: messageRecord,
      list: messageList,
      expand: messageExpansions,
      handler: async ({ caller, query, list, expand }) => {
        const page = await read.list(caller, query.conversation_id, list);
        return { ...page, items: await add.execute(caller, page.items, expand) };
      },
    }),
    route({
      method: 'GET',
      path: '/openapi/messages/{id}',
      summary: 'Get one message',
      tag: 'Messages',
      scopes: ['messages:read'],
      oauth: 'messages.read',
      params: idParams,
      success: 200,
      response: messageRecord,
      expand: messageExpansions,
      handler: async ({ caller, params, expand }) => {
        const [shown] = await add.execute(caller, [await read.get(caller, params.id)], expand);
        return shown;
      },
    }),
    route({
      method: 'GET',
      path: '/openapi/messages/{id}/trace',
      summary: 'Show what happened to a message, step by step',
      tag: 'Messages',
      scopes: ['messages:read'],
      oauth: 'messages.read',
      params: idParams,
      success: 200,
      response: messageTraceRecord,
      handler: ({ caller, params }) => read.trace(caller, params.id),
    }),
  ];
}

function changingRoutes({ send, change }: MessageUseCases): Route[] {
  return [
    route({
      method: 'POST',
      path: '/openapi/messages',
      summary: 'Send a message',
      tag: 'Messages',
      scopes: ['messages:write'],
      oauth: 'messages.write',
      body: sendMessageBody,
      success: 201,
      response: messageRecord,
      echo: echoContent,
      handler: ({ caller, body, resourceId, claim }) => send.execute(caller, body, resourceId, claim?.name),
    }),
    route({
      method: 'PATCH',
      path: '/openapi/messages/{id}',
      summary: 'Edit a message on every platform that can',
      tag: 'Messages',
      scopes: ['messages:write'],
      oauth: 'messages.write',
      params: idParams,
      body: editMessageBody,
      success: 200,
      response: messageRecord,
      echo: echoContent,
      handler: ({ caller, params, body }) => change.edit(caller, params.id, body),
    }),
    route({
      method: 'DELETE',
      path: '/openapi/messages/{id}',
      summary: 'Delete a message, and its copies on platforms where possible',
      tag: 'Messages',
      scopes: ['messages:write'],
      oauth: 'messages.write',
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await change.delete(caller, params.id);
        return undefined;
      },
    }),
  ];
}

function actingRoutes({ act }: MessageUseCases): Route[] {
  return [
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/messages/{id}/read',
      summary: 'Mark a message as read by the caller',
      params: idParams,
      success: 200,
      response: messageRecord,
      handler: ({ caller, params, claim }) => act.read(caller, params.id, claim?.name),
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/messages/{id}/retry',
      summary: 'Send the failed and expired deliveries of a message again',
      params: idParams,
      success: 200,
      response: messageRecord,
      handler: ({ caller, params, claim }) => act.retry(caller, params.id, claim?.name),
    }),
    route({
      ...writing,
      method: 'PUT',
      path: '/openapi/messages/{id}/reactions/{emoji}',
      summary: 'React to a message',
      params: reactionParams,
      success: 200,
      response: messageRecord,
      handler: ({ caller, params }) => act.react(caller, params.id, params.emoji),
    }),
    route({
      ...writing,
      method: 'DELETE',
      path: '/openapi/messages/{id}/reactions/{emoji}',
      summary: "Remove the caller's reaction",
      params: reactionParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await act.unreact(caller, params.id, params.emoji);
        return undefined;
      },
    }),
  ];
}

/** If the request has `content`, the response has it in addition to `text`. */
function echoContent(
  record: Record<string, unknown>,
  body: Record<string, unknown>,
): Record<string, unknown> {
  return typeof body.content === 'string' ? { ...record, content: record.text } : record;
}
