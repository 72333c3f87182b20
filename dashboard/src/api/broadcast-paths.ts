/** Broadcast requests that only the dashboard sends. As in session-paths.ts, these types are written by hand. */

import type { ById, Json, List, Page } from './path-shapes';
import type { components } from './schema.gen';

type Schemas = components['schemas'];

/** The fields of a broadcast that change without a request. */
export type BroadcastProgress = Pick<
  Schemas['Broadcast'],
  | 'id'
  | 'status'
  | 'counts'
  | 'progress'
  | 'skip_reasons'
  | 'eta'
  | 'error'
  | 'scheduled_at'
  | 'started_at'
  | 'completed_at'
  | 'canceled_at'
  | 'updated_at'
>;

/** Number of recipients of a broadcast with one status on one platform. */
export interface PlatformCount {
  readonly platform: string | null;
  readonly status: Schemas['BroadcastRecipient']['status'];
  readonly recipients: number;
}

export type ChangeKind = 'edit' | 'recall';

export interface BroadcastChange {
  readonly id: string;
  readonly broadcast_id: string;
  readonly kind: ChangeKind;
  /** The new text of an edit. */
  readonly text: string | null;
  readonly status: 'running' | 'stopping' | 'completed' | 'stopped';
  /** Whether its recipients are still listed. */
  readonly has_rows: boolean;
  readonly created_by: string;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly platforms: ({ readonly platform: string } & Readonly<
    Record<'total' | 'open' | 'changed' | 'unsupported' | 'impossible', number>
  >)[];
}

/** Shows on which platforms a change is possible before it starts. */
export interface ChangePreview {
  readonly kind: ChangeKind;
  readonly platforms: {
    readonly platform: string;
    readonly name: string;
    readonly recipients: number;
    readonly possible: number;
    /** Null if the platform supports the change. */
    readonly unsupported: 'platform' | 'not_installed' | null;
    readonly too_old: number;
    readonly deleted: number;
    readonly max_age_s: number | null;
  }[];
}

export interface ChangedRecipient {
  readonly id: string;
  readonly user_id: string | null;
  readonly message_id: string;
  readonly platform: string;
  readonly address: string | null;
  /** Null until the platform responds. */
  readonly result: 'changed' | 'unsupported' | 'impossible' | null;
  readonly reason:
    | 'deleted'
    | 'not_sent'
    | 'unlinked'
    | 'too_old'
    | 'missing_variable'
    | 'refused'
    | 'uncertain'
    | 'no_answer'
    | null;
}

export interface BroadcastPaths {
  '/broadcasts/rehearsal': {
    /** The response is JSON lines. See rehearsals.ts. */
    post: { requestBody: Json<object>; responses: { 200: Json<unknown> } };
  };
  '/broadcasts/{id}/progress': { get: ById & { responses: { 200: Json<BroadcastProgress> } } };
  '/broadcasts/{id}/platforms': { get: ById & { responses: { 200: Json<{ data: PlatformCount[] }> } } };
  '/broadcasts/{id}/changes': {
    get: ById & { responses: { 200: Json<{ data: BroadcastChange[] }> } };
    post: ById & {
      requestBody: Json<{ kind: ChangeKind; text?: string }>;
      responses: { 201: Json<BroadcastChange> };
    };
  };
  '/broadcasts/{id}/changes/preview': {
    get: {
      parameters: { path: { id: string }; query: { kind: ChangeKind } };
      responses: { 200: Json<ChangePreview> };
    };
  };
  '/broadcast-changes/{id}/recipients': {
    get: {
      parameters: { path: { id: string }; query?: Page };
      responses: { 200: Json<List<ChangedRecipient>> };
    };
  };
  '/broadcast-changes/{id}/stop': { post: ById & { responses: { 200: Json<BroadcastChange> } } };
}
