import { z } from 'zod';
import { conversationKey } from '../../../core/conversations/bodies.js';
import { draftRecord, saveDraftBody, savedDraftRecord } from '../../../core/conversations/draft-schema.js';
import type { ConversationDrafts } from '../../../core/conversations/drafts.js';
import type { ConversationViewers } from '../../../core/conversations/viewers.js';
import type { ActOnMessages } from '../../../core/messages/act.js';
import { messageVersionRecord } from '../../../core/messages/record.js';
import type { ReadMessages } from '../../../core/messages/use-cases.js';
import { previewBody } from '../../../core/previews/bodies.js';
import type { PreviewDraft } from '../../../core/previews/preview-draft.js';
import { draftPreviewRecord } from '../../../core/previews/record.js';
import { uuid, wireId } from '../../../core/schema/scalars.js';
import { type Route, route } from '../../route.js';
import { dashboard, idParams } from './common.js';

export interface InboxUseCases {
  readonly preview: PreviewDraft;
  readonly viewers: ConversationViewers;
  readonly drafts: ConversationDrafts;
  readonly acts: ActOnMessages;
  readonly messages: ReadMessages;
}

const reading = { ...dashboard, scopes: ['conversations:read'] } as const;
const messageReading = { ...dashboard, scopes: ['messages:read'] } as const;
const conversationParams = z.object({ id: conversationKey });

const messageWriting = { ...dashboard, scopes: ['messages:write'] } as const;
/** The limit is two pages of the list. */
const readBody = z.object({ message_ids: z.array(uuid).min(1).max(100) });

/** Operations of the inbox that the REST API does not have. */
export function inboxRoutes(useCases: InboxUseCases): Route[] {
  return [...conversationRoutes(useCases), ...draftRoutes(useCases), ...messageRoutes(useCases)];
}

function conversationRoutes({ preview, viewers }: InboxUseCases): Route[] {
  return [
    route({
      ...reading,
      method: 'POST',
      path: '/conversations/{id}/preview',
      summary: 'Show what a draft becomes on each linked platform',
      params: conversationParams,
      body: previewBody,
      success: 200,
      response: draftPreviewRecord,
      handler: ({ caller, params, body }) => preview.execute(caller, params.id, body),
    }),
    route({
      ...reading,
      method: 'PUT',
      path: '/conversations/{id}/viewing',
      summary: 'Mark the conversation as open for 25 seconds, and get who else has it open',
      params: conversationParams,
      success: 200,
      response: z.object({ user_ids: z.array(wireId) }),
      handler: async ({ caller, params }) => ({ user_ids: await viewers.view(caller, params.id) }),
    }),
    route({
      ...reading,
      method: 'DELETE',
      path: '/conversations/{id}/viewing',
      summary: 'Mark the conversation as closed',
      params: conversationParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await viewers.stop(caller, params.id);
        return undefined;
      },
    }),
  ];
}

function draftRoutes({ drafts }: InboxUseCases): Route[] {
  return [
    route({
      ...reading,
      method: 'GET',
      path: '/conversations/{id}/draft',
      summary: 'Get the draft of the member',
      params: conversationParams,
      success: 200,
      response: z.object({ draft: draftRecord }),
      handler: async ({ caller, params }) => ({ draft: await drafts.read(caller, params.id) }),
    }),
    route({
      ...messageWriting,
      method: 'PUT',
      path: '/conversations/{id}/draft',
      summary: 'Store the draft of the member, for other browsers of the member',
      params: conversationParams,
      body: saveDraftBody,
      success: 200,
      response: savedDraftRecord,
      handler: ({ caller, params, body }) => drafts.save(caller, params.id, body),
    }),
  ];
}

function messageRoutes({ messages, acts }: InboxUseCases): Route[] {
  return [
    route({
      ...messageWriting,
      method: 'POST',
      path: '/messages/read',
      summary: 'Mark up to 100 messages as read',
      body: readBody,
      success: 204,
      handler: async ({ caller, body }) => {
        await acts.readAll(caller, body.message_ids);
        return undefined;
      },
    }),
    route({
      ...messageReading,
      method: 'GET',
      path: '/messages/{id}/versions',
      summary: 'List the earlier versions of an edited message, newest first',
      params: idParams,
      success: 200,
      response: z.object({ data: z.array(messageVersionRecord) }),
      handler: async ({ caller, params }) => ({ data: await messages.versions(caller, params.id) }),
    }),
  ];
}
