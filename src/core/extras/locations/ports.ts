import type { ClaimKey } from '../../common/idempotency.js';
import type { ListPage, ListQuery } from '../../listing/list-spec.js';
import type { PointBody } from './bodies.js';
import type { LocationBatch, LocationRecord, TrackingSessionRecord } from './record.js';

/** Which points a list is narrowed to. `from` is inclusive, `to` exclusive; both apply to `recorded_at`. */
export interface LocationSelection {
  readonly user_id?: string | undefined;
  readonly tracking_session_id?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Points of one user to be stored together, in the names of the database. */
export interface NewLocations {
  readonly workspace_id: string;
  readonly user_id: string;
  /** Whether the answer is that of a batch. */
  readonly batch: boolean;
  readonly points: readonly (PointBody & { readonly id?: string })[];
  readonly claim?: ClaimKey;
}

/** Where users are and were. */
export interface LocationStore {
  list(
    workspaceId: string,
    selection: LocationSelection,
    query: ListQuery,
  ): Promise<ListPage<LocationRecord>>;
  /** All points or none, with the event. Raises `not_found`, `conflict` (`invalid_state`), `rate_limit_exceeded`. */
  record(locations: NewLocations): Promise<LocationRecord | LocationBatch>;
  /** Announces the waiting point of a user that is due. */
  announceWaiting(userId: string): Promise<void>;
  /** Does what is due of locations and sessions and lost its reminder, and removes a batch of what is too old. */
  sweep(): Promise<void>;
}

export interface SessionAction {
  readonly workspace_id: string;
  readonly id: string;
  readonly claim?: ClaimKey;
}

export interface NewTrackingSession extends SessionAction {
  readonly user_id: string;
  readonly started_by: string;
  readonly conversation_id?: string;
  readonly conversation_number?: number;
  readonly purpose: string | null;
  readonly interval_seconds: number;
  readonly duration_seconds: number;
  readonly share_with: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Tracking sessions. Every move is compare-and-set, with its event. */
export interface TrackingStore {
  find(workspaceId: string, id: string): Promise<TrackingSessionRecord | undefined>;
  list(
    workspaceId: string,
    only: { readonly userId?: string; readonly activeOnly: boolean },
    query: ListQuery,
  ): Promise<ListPage<TrackingSessionRecord>>;
  /** Raises `not_found`, `conflict`: `tracking_active`, `consent_denied`. The same id again answers the same. */
  start(session: NewTrackingSession): Promise<TrackingSessionRecord>;
  /** Raises `not_found`, `conflict` (`invalid_state`). */
  stop(action: SessionAction): Promise<TrackingSessionRecord>;
  /** Raises `not_found`, `conflict`: `not_a_contact`, `invalid_state`. */
  consent(
    answer: SessionAction & { readonly caller_id: string; readonly granted: boolean },
  ): Promise<TrackingSessionRecord>;
  /** Ends a session whose time has passed; any other is left alone. */
  expire(id: string): Promise<void>;
}
