import { z } from 'zod';
import { conversationKey } from '../../../core/conversations/bodies.js';
import { previewBody } from '../../../core/previews/bodies.js';
import type { PreviewDraft } from '../../../core/previews/preview-draft.js';
import { draftPreviewRecord } from '../../../core/previews/record.js';
import { type Route, route } from '../../route.js';
import { dashboard } from './common.js';

export interface InboxUseCases {
  readonly preview: PreviewDraft;
}

const reading = { ...dashboard, scopes: ['conversations:read'] } as const;
const conversationParams = z.object({ id: conversationKey });

/** What the inbox shows and the REST interface does not. */
export function inboxRoutes({ preview }: InboxUseCases): Route[] {
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
  ];
}
