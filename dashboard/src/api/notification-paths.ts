/** What pages ask about sounds and pushes. `session-paths.ts` has the rest. */

import type { Get, Json, NoContent } from './path-shapes';

/** What the person chose, in every browser. */
export interface NotificationChoices {
  readonly sound_mine: boolean;
  readonly sound_unassigned: boolean;
  readonly sound_calls: boolean;
  readonly push_mine: boolean;
  readonly push_unassigned: boolean;
  readonly push_calls: boolean;
  readonly push_shows_text: boolean;
}

export interface Notifications extends NotificationChoices {
  /** Whether this browser gets pushes. */
  readonly pushes_here: boolean;
}

type PushResult = 'sent' | 'refused' | 'gone' | 'unreachable';

export interface NotificationPaths {
  '/notifications': Get<Notifications> & {
    patch: { requestBody: Json<Partial<NotificationChoices>>; responses: { 200: Json<Notifications> } };
  };
  '/push-key': Get<{ public_key: string }>;
  '/push-subscription': {
    put: {
      requestBody: Json<{ endpoint: string; keys: { p256dh: string; auth: string } }>;
      responses: { 204: NoContent };
    };
    delete: { responses: { 204: NoContent } };
  };
  '/push-subscription/test': { post: { responses: { 200: Json<{ result: PushResult }> } } };
}
