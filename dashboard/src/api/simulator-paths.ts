/** Requests of the dashboard to a service that runs with simulators. As in session-paths.ts, these types are written by hand. */

import type { Get, Json, NoContent } from './path-shapes';
import type { components } from './schema.gen';

/** A simulated platform of the service, with the actions that people can take on it besides writing. */
export interface Simulator {
  readonly platform: string;
  readonly name: string;
  readonly connection_id: string;
  readonly status: components['schemas']['Connection']['status'];
  readonly abilities: SimulatorAbility[];
  readonly chats: PhoneChat[];
}

export type SimulatorAbility = 'edit' | 'delete' | 'react' | 'type' | 'press' | 'location' | 'reply' | 'file';

export interface PhoneChat {
  readonly id: string;
  readonly title: string;
  readonly kind: 'direct' | 'group';
}

/** A message as a person on the simulated platform sees it. */
export interface PhoneMessage {
  readonly id: string;
  readonly sender: string;
  /** Sent by the connected account. */
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
  /** Encoded as base64. */
  readonly content: string;
}

/** An action of a person on a simulated platform. */
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

/** A fault of a simulated platform. It affects the next calls, or takes effect immediately. */
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
  /** 0 means no response. */
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
