import { z } from 'zod';
import type { ListSpec } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';
import { webhookStatuses } from './states.js';

/** A registered webhook in the form of the API. */
export const webhookRecord = z
  .object({
    id: wireId,
    url: z.string(),
    events: z.array(z.string()),
    scopes: z.array(z.string()),
    secret: z.string().nullable().describe('Only in the answers of create and rotate.'),
    secret_hint: z.string(),
    api_version: z.enum(['1.0', '2.0']),
    status: z.enum(webhookStatuses),
    headers: z.record(z.string(), z.string()).describe('Values are shown as ***.'),
    description: z.string().nullable(),
    rate_limit: z.int().nullable().describe('Deliveries per second.'),
    failing_since: wireTime.nullable(),
    last_success_at: wireTime.nullable(),
    last_failure_at: wireTime.nullable(),
    created_by: wireId,
    created_by_key: wireId
      .nullable()
      .describe('The API key that registered it; null if it was registered in the dashboard.'),
    disabled_reason: z
      .enum(['requested', 'failing', 'gone', 'key_revoked', 'key_expired'])
      .nullable()
      .describe('Null while enabled.'),
    metadata: z.record(z.string(), z.unknown()),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'Webhook' });
export type WebhookRecord = z.infer<typeof webhookRecord>;

export const webhookList: ListSpec = {
  sort: ['created_at', 'updated_at'],
  filter: {
    id: { type: 'uuid' },
    status: { type: 'enum' },
    event: { type: 'array' },
    url: { type: 'string' },
    created_at: { type: 'timestamp' },
    updated_at: { type: 'timestamp' },
  },
  metadata: true,
};

const attempt = z.object({
  at: wireTime,
  status_code: z.int().nullable(),
  duration_ms: z.int(),
  error: z.enum(['timeout', 'connection', 'tls', 'dns', 'forbidden_target', 'http_status']).nullable(),
});

/** A delivery of one event to one webhook. */
export const webhookDeliveryRecord = z
  .object({
    id: wireId,
    webhook_id: wireId,
    event_id: z.string(),
    event: z.string(),
    status: z.enum(['pending', 'succeeded', 'dead', 'canceled']),
    next_attempt_at: wireTime.nullable(),
    attempts: z.array(attempt),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDeliveryRecord = z.infer<typeof webhookDeliveryRecord>;

/** The response of a receiver to one attempt, for the dashboard. */
export const webhookAnswerRecord = z.object({ at: wireTime, text: z.string() });
export type WebhookAnswerRecord = z.infer<typeof webhookAnswerRecord>;

export const webhookDeliveryList: ListSpec = {
  sort: ['created_at', 'updated_at'],
  filter: {
    id: { type: 'uuid' },
    status: { type: 'enum' },
    event: { type: 'string' },
    created_at: { type: 'timestamp' },
    updated_at: { type: 'timestamp' },
  },
};

/** The payload for receivers and the event stream. */
export const webhookPayloadRecord = z
  .object({
    id: z.string().describe('whk_ and a ULID; the same for every attempt and every receiver.'),
    event: z.string(),
    type: z.string().optional().describe('Version 2.0 only; equals event.'),
    timestamp: wireTime,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'WebhookPayload' });
