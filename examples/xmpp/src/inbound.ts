import {
  type Envelope,
  type InboundEvent,
  type JsonObject,
  plainContent,
  remoteChatId,
  remoteMessageId,
  remoteUserId,
} from 'trunkline';
import { z } from 'zod';

/** A message stanza with the data to decode it later. */
const payload = z.object({
  type: z.enum(['chat', 'groupchat']),
  from: z.string().min(3),
  id: z.string().min(1),
  body: z.string(),
  at: z.iso.datetime(),
  replyTo: z.string().optional(),
  /** The message that this one corrects (XEP-0308) or retracts (XEP-0424). Any sender can name any message. */
  replaces: z.string().optional(),
  retracts: z.string().optional(),
  /** The account's own address in this chat: its bare address, or its address in a room. */
  own: z.string(),
});
export type ChatStanza = z.infer<typeof payload>;

const MAX_KEY_LENGTH = 200;

/** Ids are unique per sender, so id and sender together identify a message. */
export function stanzaEnvelope(stanza: ChatStanza): Envelope {
  return {
    dedupeKey: `${stanza.id} ${stanza.from}`.slice(0, MAX_KEY_LENGTH),
    lane: bare(stanza.from).slice(0, MAX_KEY_LENGTH),
    payload: stanza satisfies JsonObject,
  };
}

export function decode({ payload: stored }: Envelope): readonly InboundEvent[] {
  const parsed = payload.safeParse(stored);
  if (!parsed.success) return [{ type: 'unsupported', what: 'stanza' }];
  const { type, from, id, body, at, replyTo, replaces, retracts, own } = parsed.data;
  const room = type === 'groupchat';
  const nick = from.slice(bare(from).length + 1);
  // Messages of the room itself, such as its subject, have no nick.
  if (room && nick === '') return [{ type: 'unsupported', what: 'room notice' }];
  const localPart = bare(from).split('@', 1)[0] ?? from;
  const address = room ? from : bare(from);
  const kind: 'group' | 'direct' = room ? 'group' : 'direct';
  const said = {
    chat: { id: remoteChatId(bare(from)), kind, title: localPart },
    at,
    ...(address === own ? { echo: true } : {}),
    // The stanza does not prove authorship, so the bridge compares the sender of a change with the author.
    sender: { id: remoteUserId(address), ...(room ? { displayName: nick } : { handle: localPart }) },
  };
  const authority = 'author' as const;
  if (retracts !== undefined) {
    // A room identifies the message by its own id (XEP-0359), which this example does not store.
    if (room) return [{ type: 'unsupported', what: 'retraction in a room' }];
    return [{ type: 'message_deleted', ...said, authority, messageId: remoteMessageId(retracts) }];
  }
  if (body === '') return [{ type: 'unsupported', what: 'stanza without body' }];
  if (replaces !== undefined)
    return [
      {
        type: 'message_edited',
        ...said,
        authority,
        messageId: remoteMessageId(replaces),
        content: plainContent(body),
      },
    ];
  return [
    {
      type: 'message',
      ...said,
      messageId: remoteMessageId(id),
      content: plainContent(body),
      ...(replyTo === undefined ? {} : { replyToId: remoteMessageId(replyTo) }),
    },
  ];
}

/** The address without the device or nick (RFC 7622). */
export function bare(jid: string): string {
  return jid.split('/', 1)[0] ?? jid;
}
