import { isDeepStrictEqual } from 'node:util';
import {
  type Envelope,
  type InboundEvent,
  type RemoteChat,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
  remoteUserId,
} from '../../../src/contract/index.js';
import { emojiNamed } from '../directory/emoji.js';
import { readContext } from './event-context.js';
import { decodeActions, decodeCommand } from './interactions.js';
import { contentOf, emptied, isEmpty } from './message-content.js';
import {
  type AccessEvent,
  accessEventSchema,
  actionsSchema,
  type Callback,
  callbackSchema,
  commandSchema,
  gapSchema,
  type MemberEvent,
  type MessageEvent,
  type MovedEvent,
  memberEventSchema,
  messageEventSchema,
  movedEventSchema,
  type ReactionEvent,
  type RenameEvent,
  rateLimitedSchema,
  reactionEventSchema,
  renameEventSchema,
} from './payloads.js';
import {
  changeAt,
  chatOf,
  echoOf,
  isOwnUser,
  laterTs,
  type Source,
  senderOf,
  timeOf,
  timeOfEvent,
  userOf,
} from './people.js';

/** Subtypes of messages that a person or bot wrote (docs.slack.dev/reference/events/message#subtypes). */
const spoken = new Set<string | undefined>([
  undefined,
  'thread_broadcast',
  'file_share',
  'bot_message',
  'me_message',
]);

/** Decodes a stored Slack payload. Pure; never throws. */
export function decodeEnvelope({ payload, context, dedupeKey }: Envelope): readonly InboundEvent[] {
  const eventContext = readContext(context);
  // The most frequent kind comes first: a failed parse costs as much as a successful one.
  const callback = callbackSchema.safeParse(payload);
  if (callback.success) {
    const { event } = callback.data;
    return [decodeEvent(event, { callback: callback.data, eventContext }) ?? unsupported(nameOf(event))];
  }
  const gap = gapSchema.safeParse(payload);
  if (gap.success) return [gap.data];
  const limited = rateLimitedSchema.safeParse(payload);
  if (limited.success) return [missedMinute(limited.data.minute_rate_limited)];
  const command = commandSchema.safeParse(payload);
  if (command.success)
    return [decodeCommand(command.data, eventContext, dedupeKey) ?? unsupported('command')];
  const actions = actionsSchema.safeParse(payload);
  if (actions.success)
    return [decodeActions(actions.data, eventContext, dedupeKey) ?? unsupported('block_actions')];
  return [unsupported('payload')];
}

function decodeEvent(event: Callback['event'], source: Source): InboundEvent | undefined {
  for (const decode of decoders) {
    const decoded = decode(event, source);
    if (decoded !== undefined) return decoded;
  }
  return undefined;
}

interface Schema<T> {
  safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false };
}

function decoder<T>(schema: Schema<T>, decode: (event: T, source: Source) => InboundEvent | undefined) {
  return (event: unknown, source: Source): InboundEvent | undefined => {
    const parsed = schema.safeParse(event);
    return parsed.success ? decode(parsed.data, source) : undefined;
  };
}

const decoders = [
  decoder(messageEventSchema, decodeMessageEvent),
  decoder(reactionEventSchema, decodeReaction),
  decoder(memberEventSchema, decodeMembership),
  decoder(renameEventSchema, decodeRename),
  decoder(accessEventSchema, decodeAccess),
  decoder(movedEventSchema, decodeMove),
];

function decodeMessageEvent(event: MessageEvent, source: Source): InboundEvent | undefined {
  if (event.subtype === 'message_changed') return decodeChange(event, source);
  if (event.subtype === 'message_deleted') return decodeDeletion(event, event.deleted_ts, source);
  if (!spoken.has(event.subtype)) return undefined;
  const at = timeOf(event.ts);
  const sender = senderOf(event, source.eventContext);
  if (at === undefined || sender === undefined) return undefined;
  const content = contentOf(event, source.eventContext);
  const echo = echoOf(event, source);
  if (isEmpty(content) && echo.echo !== true) return undefined;
  const root = event.thread_ts === event.ts ? undefined : event.thread_ts;
  // A broadcast reply appears in the channel and in its thread.
  const threadId = event.subtype === 'thread_broadcast' ? undefined : root;
  return {
    type: 'message',
    chat: {
      ...chatOf(event, source.eventContext),
      ...(threadId === undefined ? {} : { threadId: remoteThreadId(threadId) }),
    },
    at,
    ...echo,
    ...editedAtOf(event),
    messageId: remoteMessageId(event.ts),
    sender,
    content,
    ...(root === undefined ? {} : { replyToId: remoteMessageId(root) }),
  };
}

/** A message from a channel's history has the text of its last edit. */
function editedAtOf({ edited }: MessageEvent): { readonly editedAt?: string } {
  const editedAt = timeOf(edited?.ts);
  return editedAt === undefined ? {} : { editedAt };
}

function decodeChange(event: MessageEvent, source: Source): InboundEvent | undefined {
  const { message, previous_message: previous } = event;
  if (message === undefined) return undefined;
  // Slack keeps the deleted root of a thread as a tombstone and does not report the deletion.
  if (message.subtype === 'tombstone') return decodeDeletion(event, message.ts, source);
  const content = contentOf(message, source.eventContext);
  // Unfurled links and thread counters also arrive as changes.
  if (previous !== undefined && isDeepStrictEqual(contentOf(previous, source.eventContext), content))
    return undefined;
  const editedTs = laterTs(event.event_ts ?? event.ts, message.edited?.ts);
  if (editedTs === undefined || timeOf(editedTs) === undefined || timeOf(message.ts) === undefined)
    return undefined;
  const sender = senderOf(message, source.eventContext);
  return {
    type: 'message_edited',
    chat: chatOf(event, source.eventContext),
    ...changeAt(editedTs),
    ...echoOf(message, source),
    messageId: remoteMessageId(message.ts),
    ...(sender === undefined ? {} : { sender }),
    content: isEmpty(content) ? emptied : content,
  };
}

function decodeDeletion(
  event: MessageEvent,
  ts: string | undefined,
  source: Source,
): InboundEvent | undefined {
  const deletedTs = event.event_ts ?? event.ts;
  if (ts === undefined || timeOf(ts) === undefined || timeOf(deletedTs) === undefined) return undefined;
  return {
    type: 'message_deleted',
    chat: chatOf(event, source.eventContext),
    ...changeAt(deletedTs),
    // Slack does not report who deleted a message. The deletion of a message of the bridge is marked as its own change.
    ...(event.previous_message === undefined ? {} : echoOf(event.previous_message, source)),
    messageId: remoteMessageId(ts),
  };
}

function decodeReaction(event: ReactionEvent, source: Source): InboundEvent | undefined {
  const at = timeOfEvent(event.event_ts, source);
  if (at === undefined || timeOf(event.item.ts) === undefined) return undefined;
  return {
    type: 'reaction',
    chat: chatOf(event.item, source.eventContext),
    ...changeAt(event.event_ts ?? '', at),
    ...(isOwnUser(event.user, source) ? { echo: true } : {}),
    messageId: remoteMessageId(event.item.ts),
    sender: userOf(event.user, source.eventContext),
    emoji: emojiNamed(event.reaction.slice(0, 100)),
    change: event.type === 'reaction_added' ? 'added' : 'removed',
  };
}

function decodeMembership(event: MemberEvent, source: Source): InboundEvent | undefined {
  const at = timeOfEvent(event.event_ts, source);
  if (at === undefined) return undefined;
  const self = isOwnUser(event.user, source);
  return {
    type: 'membership',
    chat: chatOf(event, source.eventContext),
    at,
    user: userOf(event.user, source.eventContext),
    change: event.type === 'member_joined_channel' ? 'joined' : 'left',
    ...(self ? { self } : {}),
  };
}

/** An event about the whole channel is an event of the app's membership. */
function decodeAccess({ type, channel, event_ts }: AccessEvent, source: Source): InboundEvent | undefined {
  const at = timeOfEvent(event_ts, source);
  const { selfUserId } = source.eventContext;
  if (at === undefined || selfUserId === undefined) return undefined;
  const channel_type = type.startsWith('group_') ? 'group' : 'channel';
  return {
    type: 'membership',
    chat: chatOf({ channel, channel_type }, source.eventContext),
    at,
    user: { ...userOf(selfUserId, source.eventContext), id: remoteUserId(selfUserId), isBot: true },
    change: type.endsWith('_unarchive') ? 'joined' : 'left',
    self: true,
  };
}

function decodeMove(event: MovedEvent, source: Source): InboundEvent | undefined {
  const at = timeOfEvent(event.event_ts, source);
  if (at === undefined) return undefined;
  return {
    type: 'chat_moved',
    chat: chatOf({ channel: event.old_channel_id }, source.eventContext),
    at,
    toChatId: remoteChatId(event.new_channel_id),
  };
}

function decodeRename(event: RenameEvent, source: Source): InboundEvent | undefined {
  const at = timeOfEvent(event.event_ts, source);
  if (at === undefined) return undefined;
  const kind = event.type === 'group_rename' ? 'group' : 'channel';
  const chat: RemoteChat = { id: remoteChatId(event.channel.id), kind };
  return { type: 'chat_renamed', chat, at, title: event.channel.name };
}

function missedMinute(minute: number): InboundEvent {
  return {
    type: 'gap',
    since: new Date(minute * 1000).toISOString(),
    reason: 'Slack dropped events because the workspace produced too many of them.',
  };
}

function nameOf(event: Callback['event']): string {
  return typeof event.subtype === 'string' ? `${event.type}.${event.subtype}` : event.type;
}

function unsupported(what: string): InboundEvent {
  return { type: 'unsupported', what: what.slice(0, 100) };
}
