import { z } from 'zod';
import { deliveryErrorRecord } from '../adapters/delivery-error.js';
import type { ListSpec } from '../listing/list-spec.js';
import { attachmentRecord } from '../media/attachment.js';
import { wireId, wireTime } from '../schema/scalars.js';
import { deliveryStatuses } from './delivery-states.js';
import { messageStatuses } from './states.js';

const deliveryPartRecord = z
  .object({
    index: z.int(),
    kind: z.enum(['text', 'media', 'location', 'contact']),
    status: z.enum(['pending', 'sent', 'uncertain', 'failed']),
    external_id: z.string().nullable().meta({ description: "The platform's message id." }),
    sent_at: wireTime.nullable(),
  })
  .meta({ id: 'DeliveryPart' });

export const deliveryRecord = z
  .object({
    id: wireId,
    message_id: wireId,
    conversation_id: wireId,
    link_id: wireId,
    connection_id: wireId,
    platform: z.string(),
    external_chat_id: z.string(),
    status: z.enum(deliveryStatuses),
    parts: z.array(deliveryPartRecord),
    attempt_count: z.int().meta({ description: 'Number of attempts.' }),
    revision: z.int().meta({ description: 'Message revision last shown there; 0 before the first.' }),
    degradations: z.array(z.string()),
    error: deliveryErrorRecord.nullable(),
    resolution: z.enum(['reconciled', 'retried', 'manual', 'timeout']).nullable(),
    superseded_by: wireId.nullable(),
    next_attempt_at: wireTime.nullable(),
    expires_at: wireTime.nullable(),
    uncertain_at: wireTime.nullable(),
    sent_at: wireTime.nullable(),
    delivered_at: wireTime.nullable(),
    read_at: wireTime.nullable(),
    failed_at: wireTime.nullable(),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'Delivery' });
export type DeliveryRecord = z.infer<typeof deliveryRecord>;
export const messageDirections = ['inbound', 'outbound', 'internal'] as const;

export const readReceiptRecord = z
  .object({ user_id: wireId, read_at: wireTime, platform: z.string().nullable() })
  .meta({ id: 'ReadReceipt' });

export const messageRecord = z
  .object({
    id: wireId,
    conversation_id: wireId,
    conversation_number: z.int(),
    sender_id: wireId,
    text: z.string(),
    content: z.string().optional().meta({
      description: 'Repeats `text` in the response to a request that used `content`.',
      deprecated: true,
    }),
    content_type: z.enum(['text', 'markdown']),
    attachments: z.array(attachmentRecord),
    read_by: z.array(readReceiptRecord),
    direction: z.enum(messageDirections),
    status: z.enum(messageStatuses),
    platform: z.string().nullable(),
    category: z.enum(['conversational', 'transactional', 'marketing']),
    reply_to_id: wireId.nullable(),
    thread_id: wireId.nullable(),
    thread_count: z.int(),
    revision: z.int(),
    reactions: z.array(
      z.object({ emoji: z.string(), count: z.int(), user_ids: z.array(wireId) }).meta({ id: 'Reaction' }),
    ),
    deliveries: z.array(deliveryRecord),
    origin: z
      .object({
        connection_id: wireId,
        link_id: wireId,
        external_id: z.string(),
        external_sender_id: z.string(),
      })
      .nullable(),
    error: deliveryErrorRecord.nullable(),
    broadcast_id: wireId.nullable(),
    send_at: wireTime.nullable(),
    expires_at: wireTime.nullable(),
    sent_at: wireTime.nullable(),
    delivered_at: wireTime.nullable(),
    failed_at: wireTime.nullable(),
    edited_at: wireTime.nullable(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'Message' });
export type MessageRecord = z.infer<typeof messageRecord>;

/** The content of a message before an edit. */
export const messageVersionRecord = z.object({
  revision: z.int(),
  text: z.string(),
  content_type: z.enum(['text', 'markdown']),
  created_at: wireTime.meta({ description: 'When the message got this text.' }),
});
export type MessageVersionRecord = z.infer<typeof messageVersionRecord>;

export const messageList: ListSpec = {
  sort: ['created_at', 'updated_at', 'send_at'],
  metadata: true,
  filter: {
    id: { type: 'uuid' },
    created_at: { type: 'timestamp' },
    updated_at: { type: 'timestamp' },
    status: { type: 'enum' },
    platform: { type: 'enum', nullable: true },
    direction: { type: 'enum' },
    sender_id: { type: 'uuid' },
    conversation_id: { type: 'uuid' },
    category: { type: 'enum' },
    content_type: { type: 'enum' },
    thread_id: { type: 'uuid', nullable: true },
    reply_to_id: { type: 'uuid', nullable: true },
    broadcast_id: { type: 'uuid', nullable: true },
    text: { type: 'string' },
    send_at: { type: 'timestamp', nullable: true },
  },
};

export const deliveryList: ListSpec = {
  sort: ['created_at', 'updated_at', 'next_attempt_at'],
  filter: {
    id: { type: 'uuid' },
    created_at: { type: 'timestamp' },
    updated_at: { type: 'timestamp' },
    status: { type: 'enum' },
    platform: { type: 'enum' },
    connection_id: { type: 'uuid' },
    link_id: { type: 'uuid' },
    conversation_id: { type: 'uuid' },
    message_id: { type: 'uuid' },
  },
};
