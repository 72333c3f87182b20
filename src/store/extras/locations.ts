import type { Pool } from 'pg';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import {
  type LocationBatch,
  type LocationRecord,
  locationList,
  type TrackingSessionRecord,
  trackingSessionList,
} from '../../core/locations/record.js';
import type {
  LocationSelection,
  LocationStore,
  NewLocations,
  NewTrackingSession,
  TrackingStore,
} from '../../core/ports/locations.js';
import { change } from '../connection/function-calls.js';
import { readIn } from '../connection/workspace-reads.js';
import type { Fragment } from '../listing/filter.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const locationSource: ListSource = {
  table: 'locations',
  record: 'location_record(locations)',
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: 'updated_at',
    recorded_at: 'recorded_at',
    user_id: 'user_id',
    source: 'source',
    platform: 'platform',
    tracking_session_id: 'tracking_session_id',
    metadata: 'metadata',
  },
};

const sessionSource: ListSource = {
  table: 'tracking_sessions',
  record: 'tracking_session_record(tracking_sessions)',
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: 'updated_at',
    started_at: { sql: 'started_at', type: 'timestamp', nullable: true },
    expires_at: { sql: 'expires_at', type: 'timestamp' },
    status: 'status',
    user_id: 'user_id',
    conversation_id: 'conversation_id',
    end_reason: 'end_reason',
    metadata: 'metadata',
  },
};

const conditions: Readonly<Record<keyof LocationSelection, string>> = {
  user_id: 'user_id = $1::uuid',
  tracking_session_id: 'tracking_session_id = $1::uuid',
  from: 'recorded_at >= $1::timestamptz',
  to: 'recorded_at < $1::timestamptz',
};

/** Locations in PostgreSQL. */
export class PostgresLocations implements LocationStore {
  constructor(private readonly pool: Pool) {}

  list(
    workspaceId: string,
    selection: LocationSelection,
    query: ListQuery,
  ): Promise<ListPage<LocationRecord>> {
    const narrowed = Object.entries(conditions).flatMap(([name, sql]): Fragment[] => {
      const value = selection[name as keyof LocationSelection];
      return value === undefined ? [] : [{ sql, values: [value] }];
    });
    return listRecords(this.pool, locationSource, locationList, workspaceId, query, narrowed);
  }

  async record(locations: NewLocations): Promise<LocationRecord | LocationBatch> {
    const answer = await change<{ record: LocationRecord | LocationBatch }>(
      this.pool,
      'The tracking session',
      'record_locations',
      locations,
    );
    return answer.record;
  }

  async announceWaiting(userId: string): Promise<void> {
    await this.pool.query('SELECT announce_waiting_location($1)', [userId]);
  }

  async sweep(): Promise<void> {
    await this.pool.query('SELECT sweep_locations()');
  }
}

/** Tracking sessions in PostgreSQL. */
export class PostgresTracking implements TrackingStore {
  constructor(private readonly pool: Pool) {}

  async find(workspaceId: string, id: string): Promise<TrackingSessionRecord | undefined> {
    const { rows } = await readIn<{ record: TrackingSessionRecord }>(this.pool, workspaceId, {
      text: 'SELECT tracking_session_record(s) AS record FROM tracking_sessions s WHERE id = $1 AND workspace_id = $2',
      values: [id, workspaceId],
    });
    return rows[0]?.record;
  }

  list(
    workspaceId: string,
    only: { readonly userId?: string; readonly activeOnly: boolean },
    query: ListQuery,
  ): Promise<ListPage<TrackingSessionRecord>> {
    return listRecords(this.pool, sessionSource, trackingSessionList, workspaceId, query, [
      ...(only.activeOnly ? [{ sql: `status = 'active'` }] : []),
      ...(only.userId === undefined ? [] : [{ sql: 'user_id = $1::uuid', values: [only.userId] }]),
    ]);
  }

  start(session: NewTrackingSession): Promise<TrackingSessionRecord> {
    return this.#change('start_tracking', session);
  }

  stop(action: Parameters<TrackingStore['stop']>[0]): Promise<TrackingSessionRecord> {
    return this.#change('stop_tracking', action);
  }

  consent(answer: Parameters<TrackingStore['consent']>[0]): Promise<TrackingSessionRecord> {
    return this.#change('answer_tracking', answer);
  }

  async expire(id: string): Promise<void> {
    await this.pool.query('SELECT expire_tracking($1)', [id]);
  }

  async #change(name: string, input: object): Promise<TrackingSessionRecord> {
    const answer = await change<{ record: TrackingSessionRecord }>(
      this.pool,
      'The tracking session',
      name,
      input,
    );
    return answer.record;
  }
}
