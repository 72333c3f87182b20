import { createHash } from 'node:crypto';
import type { Twilio } from 'twilio';
import type { Envelope } from '../../../src/contract/index.js';
import { clock, UNKNOWN_TIME } from '../../../src/contract/index.js';
import type { SmsSettings } from '../config.js';
import { statusKey } from '../inbound/decode.js';

export type PolledMessage = Awaited<ReturnType<Twilio['messages']['page']>>['instances'][number];

export interface PolledFile {
  readonly sid: string;
  readonly contentType: string;
}

/** The envelope of a listed message, with the same key as its webhook. */
export function polledMessageEnvelope(message: PolledMessage, files: readonly PolledFile[]): Envelope {
  const { sid, accountSid, apiVersion, from, to, body, messagingServiceSid, dateSent } = message;
  const folder = `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Messages/${sid}/Media`;
  const media = files.flatMap((file, index) => [
    [`MediaUrl${index}`, `${folder}/${file.sid}`],
    [`MediaContentType${index}`, file.contentType],
  ]);
  return {
    dedupeKey: sid,
    lane: from,
    payload: {
      MessageSid: sid,
      AccountSid: accountSid,
      ApiVersion: apiVersion,
      From: from,
      To: to,
      Body: body ?? '',
      NumMedia: String(files.length),
      ...(messagingServiceSid ? { MessagingServiceSid: messagingServiceSid } : {}),
      ...Object.fromEntries(media),
    },
    context: { received_at: toTime(dateSent) },
  };
}

/**
 * The envelope of a listed message's status. Its key differs from that of the status callback: only the callback names
 * the delivery, so it must not count as a repetition of the listed status. Receipts may repeat.
 */
export function polledStatusEnvelope(message: PolledMessage): Envelope {
  const { sid, accountSid, status, errorCode, from, to, dateUpdated } = message;
  const failed = typeof errorCode === 'number';
  return {
    dedupeKey: `${statusKey(sid, status, failed ? errorCode : undefined)}:listed`,
    lane: to,
    payload: {
      MessageSid: sid,
      AccountSid: accountSid,
      MessageStatus: status,
      From: from ?? '',
      To: to,
      ...(failed ? { ErrorCode: String(errorCode) } : {}),
    },
    context: { received_at: toTime(dateUpdated) },
  };
}

/** The envelope of a list that is too long: its older part is not fetched. */
export function longListEnvelope(direction: 'inbound' | 'outbound', since: Date): Envelope {
  const start = since.toISOString();
  const what = direction === 'inbound' ? 'messages' : 'statuses of sent messages';
  return gapEnvelope(`${direction}:${start}`, start, `Twilio lists more ${what} than are fetched.`);
}

/** The envelope of a record that does not say when Twilio was last asked. `text` is the damaged record. */
export function damagedRecordEnvelope(text: string): Envelope {
  const digest = createHash('sha256').update(text).digest('hex');
  const reason = 'The record of the last check is damaged. Messages of the last 24 hours are fetched.';
  return gapEnvelope(`record:${digest}`, UNKNOWN_TIME, reason);
}

function gapEnvelope(key: string, since: string, reason: string): Envelope {
  return {
    dedupeKey: `gap:${key}`,
    lane: 'gap',
    payload: { GapSince: since, GapReason: reason },
    context: { received_at: clock.date().toISOString() },
  };
}

/** Whether the message was sent to the sender of these settings. */
export function cameTo({ from, messaging_service_sid }: SmsSettings, message: PolledMessage): boolean {
  if (message.direction !== 'inbound') return false;
  return from === undefined ? message.messagingServiceSid === messaging_service_sid : message.to === from;
}

/** Whether the sender of these settings sent the message. */
export function wentFrom({ from, messaging_service_sid }: SmsSettings, message: PolledMessage): boolean {
  return from === undefined ? message.messagingServiceSid === messaging_service_sid : message.from === from;
}

/** A message without a valid date counts as new. */
export function updatedAt({ dateUpdated }: PolledMessage): number {
  const time = new Date(dateUpdated ?? Number.NaN).getTime();
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

/** A message without a valid date counts as new. */
export function sentAt({ dateSent }: PolledMessage): number {
  const time = dateSent === null ? Number.NaN : new Date(dateSent).getTime();
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

function toTime(date: Date | null): string {
  const time = new Date(date ?? Number.NaN);
  return (Number.isNaN(time.getTime()) ? clock.date() : time).toISOString();
}
