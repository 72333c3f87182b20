import { z } from 'zod';
import { deliveryErrorRecord } from '../adapters/delivery-error.js';
import { type ListSpec, recordList } from '../listing/list-spec.js';
import { attachmentRecord } from '../media/attachment.js';
import { wireId, wireTime } from '../schema/scalars.js';
import { broadcastStatuses } from './states.js';

/** Broadcasts and their recipients as the API returns them, version 1.0. */

const skipReasons = [
  'opted_out',
  'no_route',
  'duplicate',
  'frequency_cap',
  'blocked',
  'invalid_address',
  'missing_variable',
] as const;

const free = z.record(z.string(), z.unknown());

const counts = z.object({
  total: z.int(),
  pending: z.int(),
  sent: z.int(),
  delivered: z.int(),
  read: z.int(),
  failed: z.int(),
  uncertain: z.int(),
  skipped: z.int(),
  canceled: z.int(),
  expired: z.int(),
});

const schedule = z.object({
  at: wireTime.nullable(),
  local_time: z
    .string()
    .nullable()
    .meta({ description: "The recipients' wall clock, `YYYY-MM-DDTHH:mm` without an offset." }),
  mode: z.enum(['fixed', 'recipient_local']).nullable(),
  quiet_hours: z
    .object({
      days: z.array(z.int()).meta({ description: 'Days on which they begin; 0 is Sunday. Empty: all.' }),
      from: z.string().nullable(),
      to: z.string().nullable(),
      timezone: z.string().nullable(),
    })
    .nullable(),
  expires_at: wireTime.nullable(),
});

export const broadcastRecord = z
  .object({
    id: wireId,
    name: z.string(),
    category: z.enum(['marketing', 'transactional']),
    status: z.enum(broadcastStatuses),
    text: z.string().nullable(),
    template_id: wireId.nullable(),
    content_type: z.enum(['text', 'markdown']),
    attachments: z.array(attachmentRecord),
    variables: free,
    variants: z.array(free),
    platforms: z.array(z.string()).meta({ description: "Priority; empty: each user's own order." }),
    audience: free,
    fallback: free.nullable(),
    throttle: z.object({ per_minute: z.int() }).nullable(),
    schedule: schedule.nullable(),
    counts: counts.meta({ description: 'Each recipient once; they add up to total at every moment.' }),
    progress: z.number().meta({ description: 'Share that is not pending, 0 to 1.' }),
    skip_reasons: z.record(z.string(), z.int()),
    eta: wireTime.nullable(),
    error: deliveryErrorRecord.nullable(),
    created_by: wireId,
    scheduled_at: wireTime.nullable(),
    started_at: wireTime.nullable(),
    completed_at: wireTime.nullable(),
    canceled_at: wireTime.nullable(),
    metadata: free,
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'Broadcast' });
export type BroadcastRecord = z.infer<typeof broadcastRecord>;

/** The fields that change while a broadcast runs. The full record contains the audience, so it is too large to poll. */
export const broadcastProgress = broadcastRecord.pick({
  id: true,
  status: true,
  counts: true,
  progress: true,
  skip_reasons: true,
  eta: true,
  error: true,
  scheduled_at: true,
  started_at: true,
  completed_at: true,
  canceled_at: true,
  updated_at: true,
});
export type BroadcastProgress = z.infer<typeof broadcastProgress>;

export const broadcastRecipientRecord = z
  .object({
    id: wireId,
    broadcast_id: wireId,
    user_id: wireId,
    message_id: wireId.nullable(),
    platform: z.string().nullable(),
    address: z.string().nullable(),
    variant: z.string().nullable(),
    status: z.enum([
      'pending',
      'queued',
      'sending',
      'sent',
      'delivered',
      'read',
      'failed',
      'uncertain',
      'skipped',
      'canceled',
      'expired',
    ]),
    attempts: z.int(),
    skip_reason: z.enum(skipReasons).nullable(),
    error: deliveryErrorRecord.nullable(),
    queued_at: wireTime.nullable(),
    sent_at: wireTime.nullable(),
    delivered_at: wireTime.nullable(),
    read_at: wireTime.nullable(),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'BroadcastRecipient' });
export type BroadcastRecipientRecord = z.infer<typeof broadcastRecipientRecord>;

/** The number of recipients of a broadcast with one status on one platform. */
export const platformCountRecord = z.object({
  platform: z.string().nullable(),
  status: broadcastRecipientRecord.shape.status,
  recipients: z.int(),
});
export type PlatformCount = z.infer<typeof platformCountRecord>;

/** The result of a dry run: what a broadcast would do. */
export const dryRunRecord = z
  .object({
    recipients: z.int(),
    skips: z.record(z.string(), z.int()),
    parts: z.int(),
    eta_seconds: z.int(),
    samples: z.array(
      z.object({
        user_id: wireId,
        platform: z.string(),
        text: z.string(),
        parts: z.int(),
        degradations: z.array(z.string()),
      }),
    ),
    platforms: z.array(
      z.object({
        platform: z.string(),
        recipients: z.int(),
        parts: z.int(),
        billed: z
          .object({ unit: z.string(), count: z.int() })
          .nullable()
          .meta({ description: 'What the platform bills for the texts. Null: messages.' }),
        degradations: z.array(z.string()),
        too_long: z
          .int()
          .meta({ description: 'Recipients whose text needs more parts than a message may have.' }),
      }),
    ),
    without_zone: z.int().meta({
      description: 'Recipients without a time zone, if the broadcast is sent at a local time.',
    }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'DryRun' });
export type DryRunRecord = z.infer<typeof dryRunRecord>;

export const broadcastList: ListSpec = recordList({
  sort: ['scheduled_at'],
  metadata: true,
  filter: {
    status: { type: 'enum' },
    category: { type: 'enum' },
    created_by: { type: 'uuid' },
    scheduled_at: { type: 'timestamp', nullable: true },
  },
});

export const broadcastRecipientList: ListSpec = recordList({
  filter: {
    status: { type: 'enum' },
    platform: { type: 'enum', nullable: true },
    user_id: { type: 'uuid' },
    variant: { type: 'string', nullable: true },
    skip_reason: { type: 'enum', nullable: true },
  },
});
