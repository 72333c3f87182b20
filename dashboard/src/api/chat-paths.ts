/** Staff chat requests of the settings. `session-paths.ts` has the other types. */

import type { ById, Get, Json, NoContent } from './path-shapes';

/** The conversation that receives alerts. */
export interface StaffChat {
  readonly conversation_number: number | null;
  readonly title: string | null;
  /** Whether drafts of agents are shown in the staff chat. */
  readonly approvals: boolean;
}

/** A platform account that makes decisions for the member in the staff chat. */
export interface ChatIdentity {
  readonly id: string;
  readonly platform: string;
  readonly connection: string;
  readonly name: string;
  readonly created_at: string;
}

interface ChatCode {
  readonly text: string;
  readonly expires_at: string;
}

export interface ChatPaths {
  '/chat-identities': Get<{ data: ChatIdentity[] }>;
  '/chat-identities/code': { post: { responses: { 201: Json<ChatCode> } } };
  '/chat-identities/{id}': { delete: ById & { responses: { 204: NoContent } } };
  '/workspace/staff-chat': Get<StaffChat> & {
    put: { requestBody: Json<Omit<StaffChat, 'title'>>; responses: { 200: Json<StaffChat> } };
  };
}
