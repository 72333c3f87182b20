import { z } from 'zod';
import {
  type AttachmentType,
  type ConsentChanged,
  type ContentAttachment,
  type Envelope,
  type InboundEvent,
  type ReceiptReported,
  type RemoteUser,
  remoteChatId,
  remoteMessageId,
  remoteUserId,
} from '../../../src/contract/index.js';
import { deliveryFailure } from '../client/errors.js';

/** Form fields of a webhook. A repeated field is a list. */
const fields = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
type Fields = z.infer<typeof fields>;

/** https://www.twilio.com/docs/messaging/guides/webhook-request */
const message = z.looseObject({
  MessageSid: z.string().min(1).max(190),
  From: z.string().min(1).max(200),
  To: z.string().optional(),
  Body: z.string().default(''),
  NumMedia: z.coerce.number().int().min(0).max(20).catch(0),
  ProfileName: z.string().optional(),
  OptOutType: z.string().optional(),
});

/** https://www.twilio.com/docs/messaging/guides/track-outbound-message-status */
const status = z.looseObject({
  MessageSid: z.string().min(1).max(100),
  MessageStatus: z.string().min(1).max(40),
  To: z.string().min(1).max(200),
  ErrorCode: z.coerce.number().int().optional().catch(undefined),
});

/** Stored by the backfill, and never sent by Twilio. */
const gap = z.object({ GapSince: z.iso.datetime(), GapReason: z.string().min(1) });

/**
 * The envelope of a verified webhook. Undefined if its fields name neither a message nor a status. Only a status
 * callback has MessageStatus. Twilio sends no time, so the time of receipt is stored. `reference` comes from the
 * address of a status callback.
 */
export function envelopeOf(payload: Fields, receivedAt: string, reference?: string): Envelope | undefined {
  const context = { received_at: receivedAt };
  const update = status.safeParse(payload);
  if (update.success) {
    const { MessageSid, MessageStatus, To, ErrorCode } = update.data;
    const key = statusKey(MessageSid, MessageStatus, ErrorCode);
    return { dedupeKey: key, lane: To, payload, context: { ...context, ...(reference && { reference }) } };
  }
  const incoming = message.safeParse(payload);
  if (!incoming.success) return undefined;
  return { dedupeKey: incoming.data.MessageSid, lane: incoming.data.From, payload, context };
}

/** The dedupe key of a status, equal for a callback and for Twilio's list. */
export function statusKey(sid: string, status: string, errorCode: number | undefined): string {
  return [sid, status, ...(errorCode === undefined ? [] : [errorCode])].join(':');
}

/** Above Twilio's maximum: a message with ten files has about forty fields. */
const MAX_FIELDS = 1_000;

/**
 * Parses a form. A repeated field becomes a list, the shape that signatures are computed over. Undefined for a form
 * with more fields than Twilio sends, which is refused before its signature is checked.
 */
export function formFields(text: string): Fields | undefined {
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) return undefined;
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name);
    if (Array.isArray(before)) before.push(value);
    else fields.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(fields);
}

/** Decodes a stored webhook. `own` is the sender number of this connection, if it is known. */
export function decodeSms(envelope: Envelope, own: string | undefined): readonly InboundEvent[] {
  const at = envelope.context?.received_at ?? new Date(0).toISOString();
  const payload = fields.safeParse(envelope.payload);
  if (!payload.success) return unsupported('not a form');
  const update = status.safeParse(payload.data);
  if (update.success) return receipt(update.data, at, envelope.context?.reference);
  const incoming = message.safeParse(payload.data);
  if (incoming.success) return received(incoming.data, at, own);
  const missed = gap.safeParse(payload.data);
  if (!missed.success) return unsupported('neither message nor status');
  return [{ type: 'gap', since: missed.data.GapSince, reason: missed.data.GapReason }];
}

/**
 * Words that Twilio itself responds to:
 * https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out#default-behavior
 */
const answeredWords = new Set(
  'STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT START YES UNSTOP HELP INFO'.split(' '),
);

/**
 * Twilio accepted the message. The response to the create says so too, so this is reported only if that response may be
 * lost.
 */
const taken: ReadonlySet<string> = new Set(['accepted', 'scheduled', 'queued', 'sending']);

const receiptStatus = new Map<string, ReceiptReported['status']>([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['undelivered', 'failed'],
  ['failed', 'failed'],
  // Some segments did not arrive, so the person cannot read the message.
  ['partially_delivered', 'failed'],
]);

function receipt(
  update: z.infer<typeof status>,
  at: string,
  reference: string | undefined,
): readonly InboundEvent[] {
  const isTaken = reference !== undefined && taken.has(update.MessageStatus);
  const known = isTaken ? 'sent' : receiptStatus.get(update.MessageStatus);
  if (known === undefined) return unsupported(`status ${update.MessageStatus}`);
  return [
    {
      type: 'receipt',
      chat: { id: remoteChatId(update.To), kind: 'direct' },
      at,
      messageId: remoteMessageId(update.MessageSid),
      ...(reference === undefined ? {} : { reference }),
      status: known,
      ...(known === 'failed' ? { failure: deliveryFailure(update.ErrorCode) } : {}),
    },
  ];
}

function received(
  incoming: z.infer<typeof message>,
  at: string,
  own: string | undefined,
): readonly InboundEvent[] {
  const attachments = Array.from({ length: incoming.NumMedia }, (_, index) => attachment(incoming, index));
  if (incoming.Body === '' && attachments.length === 0) return unsupported('empty message');
  const answered = incoming.OptOutType !== undefined || answeredWords.has(incoming.Body.trim().toUpperCase());
  const named = incoming.ProfileName?.trim();
  const sender = {
    id: remoteUserId(incoming.From),
    ...(named ? { displayName: named } : {}),
    handle: incoming.From,
  };
  return [
    {
      type: 'message',
      chat: { id: remoteChatId(incoming.From), kind: 'direct' },
      at,
      ...(own !== undefined && own === incoming.From ? { echo: true } : {}),
      messageId: remoteMessageId(incoming.MessageSid),
      sender,
      content: { text: incoming.Body, spans: [], attachments },
      ...(answered ? { answered } : {}),
    },
    ...subscription(incoming, sender, at),
  ];
}

/** Twilio's own reaction to an opt-out word. The word may be configured per account, in any language. */
const subscriptions = new Map<string, ConsentChanged['change']>([
  ['STOP', 'opted_out'],
  ['START', 'opted_in'],
]);

function subscription(
  { From, OptOutType }: z.infer<typeof message>,
  user: RemoteUser,
  at: string,
): ConsentChanged[] {
  const change = subscriptions.get(OptOutType?.toUpperCase() ?? '');
  if (change === undefined) return [];
  return [{ type: 'consent', chat: { id: remoteChatId(From), kind: 'direct' }, at, user, change }];
}

function attachment(incoming: Readonly<Record<string, unknown>>, index: number): ContentAttachment {
  const mimeType = incoming[`MediaContentType${index}`];
  const url = incoming[`MediaUrl${index}`];
  return {
    type: typeof mimeType === 'string' ? attachmentType(mimeType) : 'file',
    ...(typeof mimeType === 'string' ? { mimeType } : {}),
    ...(typeof url === 'string' && URL.canParse(url) ? { remoteRef: new URL(url).pathname } : {}),
  };
}

function attachmentType(mimeType: string): AttachmentType {
  const [family] = mimeType.toLowerCase().split('/', 1);
  if (family === 'image' || family === 'video' || family === 'audio') return family;
  return mimeType.toLowerCase().includes('vcard') ? 'contact' : 'file';
}

function unsupported(what: string): readonly InboundEvent[] {
  return [{ type: 'unsupported', what }];
}
