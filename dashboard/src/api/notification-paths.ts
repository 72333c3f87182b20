/** Requests about sounds and push notifications. `session-paths.ts` has the other types. */

import type { Get, Json, NoContent } from './path-shapes';

/** The user's settings, which apply to every browser. */
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
  /** Whether this browser receives push notifications. */
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
