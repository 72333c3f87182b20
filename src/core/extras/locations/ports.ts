import type { ClaimKey } from '../../common/idempotency.js';
import type { ListPage, ListQuery } from '../../listing/list-spec.js';
import type { PointBody } from './bodies.js';
import type { LocationBatch, LocationRecord, TrackingSessionRecord } from './record.js';

/** The filter of a list of points. `from` is inclusive, `to` exclusive. Both apply to `recorded_at`. */
export interface LocationSelection {
  readonly user_id?: string | undefined;
  readonly tracking_session_id?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Points of one user to store together, with the field names of the database. */
export interface NewLocations {
  readonly workspace_id: string;
  readonly user_id: string;
  /** Whether the response has the form of a batch. */
  readonly batch: boolean;
  readonly points: readonly (PointBody & { readonly id?: string })[];
  readonly claim?: ClaimKey;
}

/** Present and past locations of users. */
export interface LocationStore {
  list(
    workspaceId: string,
    selection: LocationSelection,
    query: ListQuery,
  ): Promise<ListPage<LocationRecord>>;
  /** Stores all points or none, with the event. Raises `not_found`, `conflict` (`invalid_state`), `rate_limit_exceeded`. */
  record(locations: NewLocations): Promise<LocationRecord | LocationBatch>;
  /** Announces a user's waiting point if it is due. */
  announceWaiting(userId: string): Promise<void>;
  /** Handles due locations and sessions whose job was lost, and deletes a batch of old points. */
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

/** Tracking sessions. Each state change is compare-and-set, with its event. */
export interface TrackingStore {
  find(workspaceId: string, id: string): Promise<TrackingSessionRecord | undefined>;
  list(
    workspaceId: string,
    only: { readonly userId?: string; readonly activeOnly: boolean },
    query: ListQuery,
  ): Promise<ListPage<TrackingSessionRecord>>;
  /** Raises `not_found`, `conflict`: `tracking_active`, `consent_denied`. A repeated id returns the same session. */
  start(session: NewTrackingSession): Promise<TrackingSessionRecord>;
  /** Raises `not_found`, `conflict` (`invalid_state`). */
  stop(action: SessionAction): Promise<TrackingSessionRecord>;
  /** Raises `not_found`, `conflict`: `not_a_contact`, `invalid_state`. */
  consent(
    answer: SessionAction & { readonly caller_id: string; readonly granted: boolean },
  ): Promise<TrackingSessionRecord>;
  /** Ends a session whose time is over. Other sessions do not change. */
  expire(id: string): Promise<void>;
}
