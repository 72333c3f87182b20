/** Requests that only the inbox sends. `session-paths.ts` has the other types. */

import type { ById, Json, NoContent } from './path-shapes';
import type { components } from './schema.gen';

/** The unsent message, as sent to the preview. */
export interface Draft {
  readonly text: string;
  readonly content_type: 'text' | 'markdown';
  readonly reply_to_id: string | null;
  readonly files: { readonly name: string; readonly mime_type: string; readonly size: number }[];
}

/** The text of a message before an edit. */
interface MessageVersion {
  readonly revision: number;
  readonly text: string;
  readonly content_type: 'text' | 'markdown';
  readonly created_at: string;
}

/** How a draft appears in one linked chat. */
export interface LinkPreview {
  readonly link_id: string;
  readonly connection_id: string;
  readonly platform: string;
  readonly title: string | null;
  readonly parts: number;
  readonly billed: { readonly unit: string; readonly count: number } | null;
  readonly outside_gsm7: string[];
  readonly degradations: string[];
  readonly refusal: { readonly code: string; readonly message: string } | null;
  readonly is_planned: boolean;
}

/** The unsent text of a member in a conversation. */
interface StoredDraft {
  readonly version: string;
  readonly text: string;
  readonly is_note: boolean;
  readonly reply_to_id: string | null;
  readonly written_at: string;
}

interface SaveDraft {
  readonly text: string;
  readonly is_note: boolean;
  readonly reply_to_id: string | null;
  readonly device: string;
  readonly base: string | null;
}

/** A message that an agent proposes. */
export interface Proposal {
  readonly id: string;
  readonly conversation_id: string;
  readonly proposer: string;
  readonly text: string;
  readonly status: 'pending' | 'approved' | 'refused' | 'expired';
  readonly read_others: number;
  readonly message_id: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface InboxPaths {
  '/conversations/{id}/proposals': {
    get: ById & { responses: { 200: Json<{ data: Proposal[] }> } };
  };
  '/proposals/{id}/approve': {
    post: ById & {
      requestBody: Json<{ text?: string }>;
      responses: { 201: Json<components['schemas']['Message']> };
    };
  };
  '/proposals/{id}/refuse': {
    post: ById & { responses: { 200: Json<Proposal> } };
  };
  '/conversations/{id}/viewing': {
    put: ById & { responses: { 200: Json<{ user_ids: string[] }> } };
    delete: ById & { responses: { 204: NoContent } };
  };
  '/conversations/{id}/draft': {
    get: ById & { responses: { 200: Json<{ draft: StoredDraft | null }> } };
    put: ById & {
      requestBody: Json<SaveDraft>;
      responses: { 200: Json<{ is_saved: boolean; draft: StoredDraft | null }> };
    };
  };
  '/messages/read': {
    post: { requestBody: Json<{ message_ids: string[] }>; responses: { 204: NoContent } };
  };
  '/conversations/{id}/preview': {
    post: ById & { requestBody: Json<Draft>; responses: { 200: Json<{ links: LinkPreview[] }> } };
  };
  '/messages/{id}/versions': {
    get: ById & { responses: { 200: Json<{ data: MessageVersion[] }> } };
  };
}
