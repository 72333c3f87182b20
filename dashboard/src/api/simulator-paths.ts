/** What the dashboard asks of a service that runs with simulators; by hand, as in session-paths. */

import type { Get, Json, NoContent } from './path-shapes';

/** A simulated platform of the service, and what people on it can do in addition to writing. */
export interface Simulator {
  readonly platform: string;
  readonly name: string;
  readonly connection_id: string;
  readonly status: string;
  readonly abilities: SimulatorAbility[];
  readonly chats: PhoneChat[];
}

export type SimulatorAbility = 'edit' | 'delete' | 'react' | 'type' | 'press' | 'location' | 'reply' | 'file';

export interface PhoneChat {
  readonly id: string;
  readonly title: string;
  readonly kind: 'direct' | 'group';
}

/** A message as a person on a simulated platform sees it. */
export interface PhoneMessage {
  readonly id: string;
  readonly sender: string;
  /** Written by the connected account. */
  readonly own: boolean;
  readonly text: string;
  readonly reply_to_id: string | null;
  readonly edited: boolean;
  readonly deleted: boolean;
  readonly files: { readonly name: string; readonly mime_type: string; readonly size: number }[];
  readonly reactions: string[];
  readonly buttons: string[];
  readonly location: { readonly latitude: number; readonly longitude: number } | null;
  readonly receipt: 'accepted' | 'sent' | 'delivered' | 'failed' | null;
  readonly sent_at: string | null;
}

export interface PhoneFile {
  readonly name: string;
  readonly mime_type: string;
  /** Base64. */
  readonly content: string;
}

/** What a person on a simulated platform does. */
export type PhoneAction = { readonly chat_id: string; readonly sender: string } & (
  | {
      readonly type: 'write';
      readonly text: string;
      readonly reply_to_id?: string;
      readonly file?: PhoneFile;
    }
  | { readonly type: 'edit'; readonly message_id: string; readonly text: string }
  | { readonly type: 'delete'; readonly message_id: string }
  | {
      readonly type: 'react';
      readonly message_id: string;
      readonly emoji: string;
      readonly change: 'added' | 'removed';
    }
  | { readonly type: 'press'; readonly message_id: string; readonly label: string }
  | { readonly type: 'type' }
  | { readonly type: 'location'; readonly latitude: number; readonly longitude: number }
);

/** What goes wrong on a simulated platform: with its next calls, or at once. */
export type SimulatorFault =
  | { readonly kind: 'rate_limited'; readonly retry_after_s: number; readonly times: number }
  | { readonly kind: 'status'; readonly status: number; readonly times: number }
  | { readonly kind: 'drop_before' | 'drop_after'; readonly times: number }
  | { readonly kind: 'disconnect' | 'revoke_token' | 'restore_token' };

export interface PlatformCall {
  readonly number: number;
  readonly call: string;
  readonly chat_id: string | null;
  readonly request: string;
  /** 0: without an answer. */
  readonly status: number;
  readonly committed: boolean;
  readonly fault: string | null;
  readonly at: string;
}

interface PlatformCalls {
  readonly faults: { readonly kind: string; readonly times: number }[];
  readonly calls: PlatformCall[];
}

interface OfPlatform {
  parameters: { path: { platform: string } };
}

export interface SimulatorPaths {
  '/simulators': Get<{ data: Simulator[] }>;
  '/simulators/{platform}/screen': {
    get: {
      parameters: { path: { platform: string }; query: { chat_id: string } };
      responses: { 200: Json<{ messages: PhoneMessage[]; typing: boolean }> };
    };
  };
  '/simulators/{platform}/file': {
    get: {
      parameters: {
        path: { platform: string };
        query: { chat_id: string; message_id: string; index: string };
      };
      responses: { 200: Json<PhoneFile> };
    };
  };
  '/simulators/{platform}/actions': {
    post: OfPlatform & { requestBody: Json<PhoneAction>; responses: { 204: NoContent } };
  };
  '/simulators/{platform}/calls': { get: OfPlatform & { responses: { 200: Json<PlatformCalls> } } };
  '/simulators/{platform}/faults': {
    post: OfPlatform & { requestBody: Json<SimulatorFault>; responses: { 200: Json<PlatformCalls> } };
    delete: OfPlatform & { responses: { 204: NoContent } };
  };
}
