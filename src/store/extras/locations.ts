import type { Pool } from 'pg';
import type {
  LocationSelection,
  LocationStore,
  NewLocations,
  NewTrackingSession,
  TrackingStore,
} from '../../core/extras/locations/ports.js';
import {
  type LocationBatch,
  type LocationRecord,
  locationList,
  type TrackingSessionRecord,
  trackingSessionList,
} from '../../core/extras/locations/record.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import {
  announceDelayedLocation,
  answerTracking,
  expireTracking,
  locationRecordSql,
  recordLocations,
  startTracking,
  stopTracking,
  sweepLocations,
  trackingSessionRecordSql,
} from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';
import type { Fragment } from '../listing/filter.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const locationSource: ListSource = {
  table: 'locations',
  record: locationRecordSql('locations'),
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
  record: trackingSessionRecordSql('tracking_sessions'),
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

const WHAT = 'The tracking session';

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
    return (await recordLocations(this.pool, locations, WHAT)).record;
  }

  announceWaiting(userId: string): Promise<void> {
    return announceDelayedLocation(this.pool, userId);
  }

  sweep(): Promise<void> {
    return sweepLocations(this.pool);
  }
}

/** Tracking sessions in PostgreSQL. */
export class PostgresTracking implements TrackingStore {
  constructor(private readonly pool: Pool) {}

  async find(workspaceId: string, id: string): Promise<TrackingSessionRecord | undefined> {
    const { rows } = await readIn<{ record: TrackingSessionRecord }>(this.pool, workspaceId, {
      text: `SELECT ${trackingSessionRecordSql('s')} AS record FROM tracking_sessions s WHERE id = $1 AND workspace_id = $2`,
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

  async start(session: NewTrackingSession): Promise<TrackingSessionRecord> {
    return (await startTracking(this.pool, session, WHAT)).record;
  }

  async stop(action: Parameters<TrackingStore['stop']>[0]): Promise<TrackingSessionRecord> {
    return (await stopTracking(this.pool, action, WHAT)).record;
  }

  async consent(answer: Parameters<TrackingStore['consent']>[0]): Promise<TrackingSessionRecord> {
    return (await answerTracking(this.pool, answer, WHAT)).record;
  }

  expire(id: string): Promise<void> {
    return expireTracking(this.pool, id);
  }
}
