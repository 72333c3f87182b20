import EmailReplyParser from 'email-reply-parser';
import {
  type ContentAttachment,
  type Envelope,
  type InboundEvent,
  plainContent,
  remoteChatId,
  remoteMessageId,
  remoteUserId,
} from 'trunkline';
import { z } from 'zod';
import { reasonOf } from './errors.js';

const file = z.object({
  ref: z.string(),
  type: z.enum(['image', 'video', 'audio', 'file']),
  mimeType: z.string(),
  name: z.string().optional(),
});
export type MailFile = z.infer<typeof file>;

const mail = z.object({
  kind: z.literal('mail'),
  id: z.string().min(1),
  from: z.string().min(3),
  name: z.string(),
  subject: z.string(),
  text: z.string(),
  at: z.iso.datetime(),
  inReplyTo: z.string().optional(),
  /** Whether a program wrote it, such as an absence notice or a newsletter. */
  automatic: z.boolean(),
  files: z.array(file),
  /** The address of the mailbox. */
  own: z.string(),
});

/** A report that a mail of this mailbox was not delivered (RFC 3464). */
const bounce = z.object({
  kind: z.literal('bounce'),
  id: z.string().min(1),
  recipient: z.string().min(3),
  status: z.string(),
  diagnostic: z.string(),
  at: z.iso.datetime(),
});

const payload = z.discriminatedUnion('kind', [
  mail,
  bounce,
  z.object({ kind: z.literal('other'), what: z.string() }),
]);
export type MailPayload = z.infer<typeof payload>;
type Mail = z.infer<typeof mail>;

export function mailEnvelope(dedupeKey: string, stored: MailPayload): Envelope {
  const lane = stored.kind === 'mail' ? stored.from : stored.kind === 'bounce' ? stored.recipient : 'mailbox';
  return { dedupeKey, lane: lane.slice(0, 200), payload: stored };
}

export function decode({ payload: stored }: Envelope): readonly InboundEvent[] {
  const parsed = payload.safeParse(stored);
  if (!parsed.success) return [{ type: 'unsupported', what: 'mail' }];
  const { data } = parsed;
  if (data.kind === 'mail')
    return [data.automatic ? { type: 'unsupported', what: 'automatic mail' } : message(data)];
  if (data.kind === 'other') return [{ type: 'unsupported', what: data.what }];
  const { id, recipient, status, diagnostic, at } = data;
  return [
    {
      type: 'receipt',
      chat: { id: remoteChatId(recipient), kind: 'direct' },
      at,
      messageId: remoteMessageId(id),
      status: 'failed',
      failure: {
        reason: reasonOf(status),
        ...(status === '' ? {} : { code: status }),
        message: diagnostic === '' ? 'The mail was returned.' : diagnostic,
      },
    },
  ];
}

function message(data: Mail): InboundEvent {
  const { id, from, name, subject, at, inReplyTo, files, own } = data;
  const said = withoutQuotes(data.text);
  // A reply repeats the subject of the thread. In the first mail of a thread, the subject is content.
  const text = inReplyTo === undefined ? [subject, said].filter((each) => each !== '').join('\n\n') : said;
  return {
    type: 'message',
    chat: { id: remoteChatId(from), kind: 'direct', title: name === '' ? from : name },
    at,
    ...(from === own ? { echo: true } : {}),
    messageId: remoteMessageId(id),
    sender: { id: remoteUserId(from), ...(name === '' ? {} : { displayName: name }), handle: from },
    content: { ...plainContent(text), attachments: files.map(attachment) },
    ...(inReplyTo === undefined ? {} : { replyToId: remoteMessageId(inReplyTo) }),
  };
}

function attachment({ ref, type, mimeType, name }: MailFile): ContentAttachment {
  return { type, remoteRef: ref, mimeType, ...(name === undefined ? {} : { name }) };
}

/** The text without quotes and signature, or the whole text if nothing else remains. */
function withoutQuotes(text: string): string {
  const written = new EmailReplyParser().parseReply(text).trim();
  return written === '' ? text.trim() : written;
}
