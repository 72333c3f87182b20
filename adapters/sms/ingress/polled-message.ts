import type { Twilio } from 'twilio';
import type { Envelope } from '../../../src/contract/index.js';
import { clock } from '../../../src/contract/index.js';
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
export function gapEnvelope(direction: 'inbound' | 'outbound', since: Date): Envelope {
  const start = since.toISOString();
  const what = direction === 'inbound' ? 'messages' : 'statuses of sent messages';
  return {
    dedupeKey: `gap:${direction}:${start}`,
    lane: 'gap',
    payload: { GapSince: start, GapReason: `Twilio lists more ${what} than are fetched.` },
    context: { received_at: clock.date().toISOString() },
  };
}

function toTime(date: Date | null): string {
  const time = new Date(date ?? Number.NaN);
  return (Number.isNaN(time.getTime()) ? clock.date() : time).toISOString();
}
