import type { ListPage, ListQuery } from '../../listing/list-spec.js';
import type { BroadcastChangeRecipientRecord, BroadcastChangeRecord, ChangeKind } from './record.js';

/** Platforms that can make a change, with the age in seconds up to which they do. */
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

/** Recipients of a broadcast who have its message, on one platform. */
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
  /** The newest changes of a broadcast, the newest first. */
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

/** The worker's side. Each step is one transaction that reminds of the next one. */
export interface BroadcastChangeWork {
  /** False while another worker is at it, and until its next step is due. */
  claim(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
  step(id: string, most: number): Promise<'goes_on' | 'rests' | 'ended'>;
  /** Reminds of changes whose worker died, and deletes old results. */
  sweep(): Promise<void>;
}
