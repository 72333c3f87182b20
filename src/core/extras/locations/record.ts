import { z } from 'zod';
import { type ListSpec, recordList } from '../../listing/list-spec.js';
import { wireId, wireTime } from '../../schema/scalars.js';
import { trackingStatuses } from './states.js';

/** Locations and tracking sessions in the form of the API, version 1.0. */

const measure = z.number().nullable();

export const locationRecord = z
  .object({
    id: wireId,
    user_id: wireId,
    latitude: z.number(),
    longitude: z.number(),
    accuracy: measure.meta({ description: 'Metres.' }),
    altitude: measure,
    altitude_accuracy: measure,
    heading: measure.meta({ description: 'Degrees.' }),
    speed: measure.meta({ description: 'Metres per second.' }),
    source: z.enum(['device', 'manual', 'platform']),
    platform: z.string().nullable(),
    address: z.string().nullable(),
    tracking_session_id: wireId.nullable(),
    recorded_at: wireTime,
    metadata: z.record(z.string(), z.unknown()),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'Location' });
export type LocationRecord = z.infer<typeof locationRecord>;

/** The response to a batch of points, in their order. */
export const locationBatch = z.object({ data: z.array(locationRecord) }).meta({ id: 'LocationBatch' });
export type LocationBatch = z.infer<typeof locationBatch>;

export const locationList: ListSpec = recordList({
  sort: ['recorded_at'],
  metadata: true,
  filter: {
    user_id: { type: 'uuid' },
    source: { type: 'enum' },
    platform: { type: 'enum', nullable: true },
    tracking_session_id: { type: 'uuid', nullable: true },
    recorded_at: { type: 'timestamp' },
  },
});

export const trackingSessionRecord = z
  .object({
    id: wireId,
    user_id: wireId,
    conversation_id: wireId.nullable(),
    status: z.enum(trackingStatuses),
    end_reason: z.enum(['stopped', 'expired', 'denied', 'revoked']).nullable(),
    purpose: z.string().nullable(),
    interval_seconds: z.int(),
    share_with: z.array(wireId).meta({ description: 'Members who see the session in their dashboard.' }),
    started_by: wireId,
    consent: z.object({
      status: z.enum(['pending', 'granted', 'denied']),
      granted_at: wireTime.nullable(),
      method: z.enum(['self', 'prior', 'platform', 'recorded']).nullable(),
    }),
    points_count: z.int(),
    expires_at: wireTime.meta({ description: 'While pending, when the request for consent expires.' }),
    last_location: locationRecord.nullable(),
    started_at: wireTime.nullable(),
    ended_at: wireTime.nullable(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'TrackingSession' });
export type TrackingSessionRecord = z.infer<typeof trackingSessionRecord>;

export const trackingSessionList: ListSpec = recordList({
  sort: ['started_at', 'expires_at'],
  metadata: true,
  filter: {
    status: { type: 'enum' },
    user_id: { type: 'uuid' },
    conversation_id: { type: 'uuid', nullable: true },
    end_reason: { type: 'enum', nullable: true },
  },
});
