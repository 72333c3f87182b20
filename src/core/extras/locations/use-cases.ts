import { requireScopes } from '../../access/authorize.js';
import type { Caller } from '../../access/caller.js';
import { notFound } from '../../common/errors.js';
import type { ClaimKey } from '../../common/idempotency.js';
import type { ListPage, ListQuery } from '../../listing/list-spec.js';
import type { UserStore } from '../../users/ports.js';
import type { PointBody, RecordLocationBody, StartTrackingBody } from './bodies.js';
import type { LocationSelection, LocationStore, TrackingStore } from './ports.js';
import type { LocationBatch, LocationRecord, TrackingSessionRecord } from './record.js';

/** Use cases of locations and tracking sessions. */

export class ReadLocations {
  constructor(
    private readonly locations: LocationStore,
    private readonly sessions: TrackingStore,
    private readonly users: UserStore,
  ) {}

  /** Raises `access_denied` for another user's points without locations:read, `not_found` for the user and the session. */
  async list(
    caller: Caller,
    selection: LocationSelection,
    query: ListQuery,
  ): Promise<ListPage<LocationRecord>> {
    const { workspaceId } = caller;
    const { user_id: wanted, tracking_session_id: sessionId } = selection;
    const userId = readableUser(caller, wanted);
    if (wanted !== undefined && (await this.users.find(workspaceId, wanted)) === undefined) {
      throw notFound('The user', 'user_id');
    }
    if (sessionId !== undefined) {
      const session = await this.sessions.find(workspaceId, sessionId);
      if (session === undefined) throw notFound('The tracking session', 'tracking_session_id');
      readableUser(caller, session.user_id);
    }
    return this.locations.list(workspaceId, { ...selection, user_id: userId }, query);
  }
}

export class RecordLocations {
  constructor(private readonly store: LocationStore) {}

  /**
   * Stores one point, or the batch of points in the body.
   *
   * Raises `not_found` for user and session, `conflict` (`invalid_state`) for a session that accepts no points, and
   * `rate_limit_exceeded`. If it raises, nothing is stored.
   */
  execute(
    caller: Caller,
    body: RecordLocationBody,
    resourceId: string,
    claim?: ClaimKey,
  ): Promise<LocationRecord | LocationBatch> {
    const { user_id: userId = caller.userId, points, ...own } = body;
    const sent = points ?? [own as PointBody];
    return this.store.record({
      workspace_id: caller.workspaceId,
      user_id: userId,
      batch: points !== undefined,
      points: sent.map((point, index) => ({
        ...point,
        source: point.source ?? 'manual',
        ...(index === 0 ? { id: resourceId } : {}),
      })),
      ...(claim === undefined ? {} : { claim }),
    });
  }
}

export class ReadTracking {
  constructor(private readonly store: TrackingStore) {}

  /** Raises `not_found`, and `access_denied` for another user's session without locations:read. */
  async get(caller: Caller, id: string): Promise<TrackingSessionRecord> {
    const found = await this.store.find(caller.workspaceId, id);
    if (found === undefined) throw notFound('The tracking session');
    readableUser(caller, found.user_id);
    return found;
  }

  /** Lists only active sessions, unless the filter names `status`. */
  list(caller: Caller, query: ListQuery): Promise<ListPage<TrackingSessionRecord>> {
    const namesStatus = query.filter.some((clause) => clause.field === 'status');
    const userId = readableUser(caller);
    return this.store.list(
      caller.workspaceId,
      { ...(userId === undefined ? {} : { userId }), activeOnly: !namesStatus },
      query,
    );
  }
}

export class Track {
  constructor(private readonly store: TrackingStore) {}

  /** Raises `not_found` for user, conversation and members; `conflict`: `tracking_active`, `consent_denied`. */
  start(
    caller: Caller,
    body: StartTrackingBody,
    id: string,
    claim?: ClaimKey,
  ): Promise<TrackingSessionRecord> {
    const { user_id: userId = caller.userId, conversation_id: conversation, purpose, ...rest } = body;
    return this.store.start({
      ...rest,
      id,
      workspace_id: caller.workspaceId,
      user_id: userId,
      started_by: caller.userId,
      purpose: purpose ?? null,
      ...(typeof conversation === 'number' ? { conversation_number: conversation } : {}),
      ...(typeof conversation === 'string' ? { conversation_id: conversation } : {}),
      ...(claim === undefined ? {} : { claim }),
    });
  }

  /** Raises `conflict` (`invalid_state`) unless the session is live. */
  stop(caller: Caller, id: string, claim?: ClaimKey): Promise<TrackingSessionRecord> {
    return this.store.stop({ workspace_id: caller.workspaceId, id, ...(claim && { claim }) });
  }

  /** Records the answer to a request for consent. Raises `conflict`: `not_a_contact`, `invalid_state`. */
  consent(caller: Caller, id: string, granted: boolean, claim?: ClaimKey): Promise<TrackingSessionRecord> {
    const input = { workspace_id: caller.workspaceId, caller_id: caller.userId, id, granted };
    return this.store.consent({ ...input, ...(claim && { claim }) });
  }
}

/**
 * The user whose data the caller can see: the requested user, all users (undefined), or only the caller if the caller has no more
 * than profile:read. Raises `access_denied` for another user.
 */
function readableUser(caller: Caller, wanted?: string): string | undefined {
  if (caller.scopes.has('locations:read')) return wanted;
  if (wanted !== undefined && wanted !== caller.userId) requireScopes(caller, ['locations:read']);
  return caller.userId;
}
