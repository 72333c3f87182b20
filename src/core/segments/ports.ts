import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { SegmentRecord } from './record.js';

/** A row of a list: who it is about, and what texts may say of them. */
export interface ListedMember {
  readonly line: number;
  readonly userId: string | null;
  readonly platform: string | null;
  readonly address: string | null;
  readonly variables: Readonly<Record<string, string>>;
  /** For a contact that has none. */
  readonly displayName?: string | null;
  readonly locale?: string | null;
  readonly timezone?: string | null;
}

export interface NewSegment {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly filter?: string | null;
  readonly user_ids?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly claim?: ClaimKey;
}

export interface SegmentChange {
  readonly name?: string;
  readonly filter?: string | null;
  readonly user_ids?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Segments of a workspace. The size of one with a filter is 0 here: it is counted by the users it finds. */
export interface SegmentStore {
  find(workspaceId: string, id: string): Promise<SegmentRecord | undefined>;
  list(workspaceId: string, query: ListQuery): Promise<ListPage<SegmentRecord>>;
  /** Raises `not_found` for an unknown user: nothing is stored then. */
  create(segment: NewSegment): Promise<SegmentRecord>;
  /**
   * Stores a segment with the members that a list names, as they come. An error of the list, or an unknown user
   * (`not_found`), leaves nothing behind. The list is read again if a parallel writer was faster.
   */
  createFromList(
    segment: NewSegment,
    list: () => AsyncIterable<readonly ListedMember[]>,
  ): Promise<SegmentRecord>;
  /** Raises `not_found`, and `invalid_request` for what the kind does not have. */
  change(workspaceId: string, id: string, change: SegmentChange): Promise<SegmentRecord>;
  /** Broadcasts that were accepted with it keep its members. Raises `not_found`. */
  delete(workspaceId: string, id: string): Promise<void>;
  /** The filters of those segments that have one, deleted or not. */
  filtersOf(workspaceId: string, ids: readonly string[]): Promise<string[]>;
  /** Removes a batch of what deleted segments left behind. */
  purge(): Promise<void>;
}
