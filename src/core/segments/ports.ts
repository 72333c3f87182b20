import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { SegmentRecord } from './record.js';

/** A row of a list: the member, and variables for texts. */
export interface ListedMember {
  readonly line: number;
  readonly userId: string | null;
  readonly platform: string | null;
  readonly address: string | null;
  readonly variables: Readonly<Record<string, string>>;
  /** These values apply to a contact that has none. */
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

/** Segments of a workspace. The size of a segment with a filter is 0 here, because the caller counts the matching users. */
export interface SegmentStore {
  find(workspaceId: string, id: string): Promise<SegmentRecord | undefined>;
  list(workspaceId: string, query: ListQuery): Promise<ListPage<SegmentRecord>>;
  /** Raises `not_found` for an unknown user. Then nothing is stored. */
  create(segment: NewSegment): Promise<SegmentRecord>;
  /**
   * Stores a segment with the members of a list while the list is read. An error of the list or an unknown user (`not_found`)
   * leaves nothing stored. The list is read again after a conflict with a concurrent write.
   */
  createFromList(
    segment: NewSegment,
    list: () => AsyncIterable<readonly ListedMember[]>,
  ): Promise<SegmentRecord>;
  /** Raises `not_found`, and `invalid_request` for a field that this kind of segment does not have. */
  change(workspaceId: string, id: string, change: SegmentChange): Promise<SegmentRecord>;
  /** Broadcasts that were accepted with the segment keep its members. Raises `not_found`. */
  delete(workspaceId: string, id: string): Promise<void>;
  /** The filters of the segments that have one, including deleted segments. */
  filtersOf(workspaceId: string, ids: readonly string[]): Promise<string[]>;
  /** Deletes a batch of data of deleted segments. */
  purge(): Promise<void>;
}
