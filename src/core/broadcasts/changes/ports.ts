import type { ListPage, ListQuery } from '../../listing/list-spec.js';
import type { BroadcastChangeRecipientRecord, BroadcastChangeRecord, ChangeKind } from './record.js';

/** Platforms that support a change, with the maximum age of a message in seconds. */
export type ChangeLimits = Readonly<Record<string, { readonly max_age_s: number | null }>>;

export interface NewBroadcastChange {
  readonly id: string;
  readonly workspace_id: string;
  readonly broadcast_id: string;
  readonly created_by: string;
  readonly kind: ChangeKind;
  readonly text: string | null;
  readonly limits: ChangeLimits;
}

/** Recipients of a broadcast on one platform whose message was sent. */
export interface SentCount {
  readonly platform: string;
  readonly recipients: number;
  readonly deleted: number;
  readonly too_old: number;
}

export interface BroadcastChangeStore {
  countSent(workspaceId: string, broadcastId: string, limits: ChangeLimits): Promise<SentCount[]>;
  /** Raises `not_found`, `conflict` (`invalid_state`). */
  start(change: NewBroadcastChange): Promise<BroadcastChangeRecord>;
  /** The latest changes of a broadcast, the newest first. */
  list(workspaceId: string, broadcastId: string): Promise<BroadcastChangeRecord[]>;
  find(workspaceId: string, id: string): Promise<BroadcastChangeRecord | undefined>;
  listRecipients(
    workspaceId: string,
    id: string,
    query: ListQuery,
  ): Promise<ListPage<BroadcastChangeRecipientRecord>>;
  /** Raises `not_found`, `conflict` (`invalid_state`). */
  stop(workspaceId: string, id: string): Promise<BroadcastChangeRecord>;
}

/** The work on changes. Each step is one transaction that stores a reminder for the next step. */
export interface BroadcastChangeWork {
  /** Resolves with false while another worker processes the change, and until its next step is due. */
  claim(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
  step(id: string, batchSize: number): Promise<'continue' | 'idle' | 'ended'>;
  /** Stores reminders for changes whose worker died, and deletes old results. */
  sweep(): Promise<void>;
}
