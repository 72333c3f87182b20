import { z } from 'zod';
import { deliveryErrorRecord } from '../adapters/delivery-error.js';
import { wireId, wireTime } from '../schema/scalars.js';
import { messageDirections } from './record.js';

/** The history of a message, in order. */

export const traceStepTypes = [
  'envelope_received',
  'recipient_added',
  'recipient_queued',
  'message_accepted',
  'delivery_created',
  'message_edited',
  'attempt_started',
  'parts_planned',
  'part_sent',
  'attempt_finished',
  'delivery_uncertain',
  'delivery_sent',
  'delivery_delivered',
  'delivery_read',
  'delivery_failed',
  'delivery_canceled',
  'message_read',
  'event_recorded',
  'webhook_queued',
  'webhook_tried',
] as const;
export type TraceStepType = (typeof traceStepTypes)[number];

export const traceStepDetail = z.object({
  delivery_id: wireId.nullable(),
  platform: z.string().nullable(),
  connection_id: wireId.nullable(),
  link_id: wireId.nullable(),
  external_id: z.string().nullable().meta({
    description: "The platform's id: of the message, the part, or the chat of a created delivery.",
  }),
  direction: z.enum(messageDirections).nullable(),
  send_at: wireTime.nullable(),
  user_id: wireId.nullable().meta({ description: 'Who sent, reads or receives the message.' }),
  broadcast_id: wireId.nullable(),
  attempt_id: wireId.nullable(),
  operation: z.enum(['send', 'edit', 'delete']).nullable(),
  revision: z.int().nullable(),
  status: z.string().nullable().meta({
    description:
      'The outcome of an attempt; otherwise the present status of the envelope, the part, the delivery or the delivery to the webhook.',
  }),
  resolution: z.enum(['reconciled', 'retried', 'manual', 'timeout']).nullable(),
  error: deliveryErrorRecord.nullable(),
  tries: z.int().nullable().meta({ description: 'How often the envelope was tried.' }),
  parts: z.int().nullable().meta({ description: 'The number of planned parts.' }),
  part: z.int().nullable().meta({ description: 'Index of the part.' }),
  degradations: z.array(z.string()).nullable(),
  event: z.string().nullable(),
  event_id: z.string().nullable(),
  webhook_id: wireId.nullable(),
  webhook_delivery_id: wireId.nullable(),
  status_code: z.int().nullable().meta({ description: 'What the receiver of the webhook answered.' }),
  failure: z.string().nullable().meta({ description: 'Why the try of the webhook failed.' }),
  duration_ms: z.int().nullable(),
});
export type TraceStepDetail = Partial<z.infer<typeof traceStepDetail>>;

const traceStepRecord = z
  .object({ at: wireTime, type: z.enum(traceStepTypes) })
  .extend(traceStepDetail.shape)
  .meta({ id: 'TraceStep' });
export type TraceStepRecord = z.infer<typeof traceStepRecord>;

export const messageTraceRecord = z
  .object({
    message_id: wireId,
    steps: z.array(traceStepRecord),
    truncated: z.boolean().meta({ description: 'True if the message has more steps than these.' }),
  })
  .meta({ id: 'MessageTrace' });
export type MessageTraceRecord = z.infer<typeof messageTraceRecord>;

/** Maximum number of steps in a trace. */
export const MAX_STEPS = 500;

/** Maximum number of events of the conversation, from the message on, that are searched for events of the message. */
export const EXAMINED_EVENTS = 2_000;

/** A step without details. Every field of a step is always present. */
const blank = Object.fromEntries(Object.keys(traceStepDetail.shape).map((name) => [name, null]));

/** The trace of these steps. One more step than the limit means that there are more. */
export function traceOf(
  messageId: string,
  found: readonly { at: Date; type: TraceStepType; detail: TraceStepDetail }[],
  maxSteps = MAX_STEPS,
): MessageTraceRecord {
  const steps = found
    .slice(0, maxSteps)
    .map(({ at, type, detail }) => ({ at: at.toISOString(), type, ...blank, ...detail }) as TraceStepRecord);
  return { message_id: messageId, steps, truncated: found.length > maxSteps };
}
