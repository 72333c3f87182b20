import { z } from 'zod';
import { conversationKey } from '../../../core/conversations/bodies.js';
import { messageVersionRecord } from '../../../core/messages/record.js';
import type { ReadMessages } from '../../../core/messages/use-cases.js';
import { previewBody } from '../../../core/previews/bodies.js';
import type { PreviewDraft } from '../../../core/previews/preview-draft.js';
import { draftPreviewRecord } from '../../../core/previews/record.js';
import { type Route, route } from '../../route.js';
import { dashboard, idParams } from './common.js';

export interface InboxUseCases {
  readonly preview: PreviewDraft;
  readonly messages: ReadMessages;
}

const reading = { ...dashboard, scopes: ['conversations:read'] } as const;
const messageReading = { ...dashboard, scopes: ['messages:read'] } as const;
const conversationParams = z.object({ id: conversationKey });

/** What the inbox shows and the REST interface does not. */
export function inboxRoutes({ preview, messages }: InboxUseCases): Route[] {
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
      ...messageReading,
      method: 'GET',
      path: '/messages/{id}/versions',
      summary: 'List what an edited message said before, the newest version first',
      params: idParams,
      success: 200,
      response: z.object({ data: z.array(messageVersionRecord) }),
      handler: async ({ caller, params }) => ({ data: await messages.versions(caller, params.id) }),
    }),
  ];
}
