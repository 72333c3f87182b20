import { z } from 'zod';
import { clock } from '../../../contract/clock.js';
import { conversationReference } from '../../messages/bodies.js';
import { metadata, text, timestamp, uuid } from '../../schema/scalars.js';

/** Request bodies of locations and tracking sessions. */

const MINUTE_MS = 60_000;
const MAX_RECORDED_AHEAD_MS = 5 * MINUTE_MS;

const recordedAt = timestamp.refine((value) => Date.parse(value) <= clock.now() + MAX_RECORDED_AHEAD_MS, {
  error: 'must be at most 5 minutes ahead',
  params: { code: 'too_large' },
});

const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-180).max(180);

/** Fields of a point other than its coordinates. */
const details = {
  accuracy: z.number().min(0).nullish(),
  altitude: z.number().nullish(),
  altitude_accuracy: z.number().min(0).nullish(),
  heading: z.number().min(0).max(360).nullish(),
  speed: z.number().min(0).nullish(),
  source: z.enum(['device', 'manual']).optional(),
  address: text(0, 512).nullish(),
  tracking_session_id: uuid.nullish(),
  recorded_at: recordedAt.optional(),
  metadata: metadata.optional(),
};

const point = z.object({ latitude, longitude, ...details });
export type PointBody = z.output<typeof point>;

/** The body of POST locations: one point, or `points` in place of its fields. */
export const recordLocationBody = z
  .object({
    user_id: uuid.optional(),
    latitude: latitude.optional(),
    longitude: longitude.optional(),
    ...details,
    points: z.array(point).min(1).max(100).optional(),
  })
  .superRefine((value, context) => {
    if (value.points === undefined) {
      for (const field of ['latitude', 'longitude'] as const) {
        if (value[field] === undefined) problem(context, field, 'required', 'is required without points');
      }
      return;
    }
    const { user_id: _user, points: _points, ...own } = value;
    for (const [field, sent] of Object.entries(own)) {
      if (sent !== undefined) problem(context, field, 'exclusive', 'belongs into points when these are sent');
    }
  });
export type RecordLocationBody = z.output<typeof recordLocationBody>;

function problem(context: z.RefinementCtx, field: string, code: string, message: string): void {
  context.addIssue({ code: 'custom', path: [field], message, params: { code } });
}

/** The body of POST locations/tracking. */
export const startTrackingBody = z.object({
  user_id: uuid.optional(),
  conversation_id: conversationReference.nullish(),
  purpose: text(0, 256).nullish(),
  interval_seconds: z.int().min(1).max(3_600).default(15),
  share_with: z
    .array(uuid)
    .max(250)
    .default([])
    .transform((ids) => [...new Set(ids)]),
  duration_seconds: z.int().min(60).max(86_400).default(3_600),
  metadata: metadata.default({}),
});
export type StartTrackingBody = z.output<typeof startTrackingBody>;

/** The body of POST locations/tracking/{id}/consent. */
export const trackingConsentBody = z.object({ granted: z.boolean() });
