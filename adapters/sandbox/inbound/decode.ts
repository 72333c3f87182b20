import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  type ContentAttachment,
  type Envelope,
  type InboundEvent,
  type JsonValue,
  type ReceiptReported,
  type RemoteChat,
  remoteChatId,
  remoteMessageId,
  remoteUserId,
} from '../../../src/contract/index.js';

/** A message from a sandbox address. */
export interface SandboxInbound {
  readonly address: string;
  readonly text: string;
  readonly attachments?: readonly ContentAttachment[];
  /** A repeated id means the same message. */
  readonly external_message_id: string;
}

const attachment = z.object({
  type: z.enum(['image', 'video', 'audio', 'file', 'location', 'contact', 'sticker']),
  url: z.string().optional(),
  remoteRef: z.string().optional(),
  name: z.string().optional(),
  mimeType: z.string().optional(),
  sizeBytes: z.number().optional(),
  altText: z.string().optional(),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

const payloadSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    address: z.string().min(1),
    text: z.string(),
    attachments: z.array(attachment),
    external_message_id: z.string().min(1),
  }),
  z.object({
    type: z.literal('receipt'),
    address: z.string().min(1),
    message_id: z.string().min(1),
    status: z.enum(['sent', 'delivered', 'read', 'failed']),
  }),
]);
type Payload = z.infer<typeof payloadSchema>;

/** The envelope of a message that a person writes at `receivedAt` (ISO 8601 UTC). */
export function messageEnvelope(
  { attachments = [], ...message }: SandboxInbound,
  receivedAt: string,
): Envelope {
  const payload = { type: 'message', ...message, attachments } as unknown as JsonValue;
  return envelope(`message:${message.external_message_id}`, message.address, payload, receivedAt);
}

/**
 * The envelope of the outcome of a message that was sent to `address`. A failed message may be sent again with the same id and
 * fail again.
 */
export function receiptEnvelope(
  address: string,
  messageId: string,
  status: ReceiptReported['status'],
  receivedAt: string,
): Envelope {
  const payload = { type: 'receipt', address, message_id: messageId, status };
  const time = status === 'failed' ? `:${receivedAt}` : '';
  return envelope(`receipt:${messageId}:${status}${time}`, address, payload, receivedAt);
}

/** Addresses and ids may be longer than a key or lane, so both are digests. */
function envelope(key: string, address: string, payload: JsonValue, receivedAt: string): Envelope {
  return { dedupeKey: digest(key), lane: digest(address), payload, context: { received_at: receivedAt } };
}

function digest(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** Decodes a stored envelope. */
export function decodeSandbox({ payload, context }: Envelope): readonly InboundEvent[] {
  const parsed = payloadSchema.safeParse(payload);
  if (!parsed.success) return [{ type: 'unsupported', what: 'not a sandbox payload' }];
  const at = context?.received_at ?? new Date(0).toISOString();
  const chat: RemoteChat = { id: remoteChatId(parsed.data.address), kind: 'direct' };
  return [eventOf(parsed.data, chat, at)];
}

function eventOf(payload: Payload, chat: RemoteChat, at: string): InboundEvent {
  if (payload.type === 'message') {
    if (payload.text === '' && payload.attachments.length === 0) {
      return { type: 'unsupported', what: 'empty message' };
    }
    return {
      type: 'message',
      chat,
      at,
      messageId: remoteMessageId(payload.external_message_id),
      sender: { id: remoteUserId(payload.address) },
      content: { text: payload.text, spans: [], attachments: payload.attachments as ContentAttachment[] },
    };
  }
  return {
    type: 'receipt',
    chat,
    at,
    messageId: remoteMessageId(payload.message_id),
    status: payload.status,
    ...(payload.status === 'failed' ? { failure: lateFailure } : {}),
  };
}

const lateFailure = {
  reason: 'platform_error',
  code: 'sandbox_late',
  message: 'The sandbox lost the message after sending it, as this address specifies.',
} as const;
