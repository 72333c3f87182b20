import type { z } from 'zod';
import {
  type Envelope,
  type InboundEvent,
  isChange,
  plainContent,
  type RemoteChat,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
  remoteUserId,
} from '../../../src/contract/index.js';
import { type Interaction, interactionSchema, interactionText } from './interactions.js';
import { contentOf } from './message-content.js';
import {
  bulkDeletedSchema,
  channelSchema,
  clearedSchema,
  type DiscordMessage,
  deletedSchema,
  dispatchSchema,
  gapSchema,
  messageSchema,
  reactionSchema,
  serverMemberSchema,
  serverSchema,
  typingSchema,
} from './payloads.js';
import { actorOf, remoteUser, senderOf } from './people.js';
import { isPin } from './pins.js';

/** https://docs.discord.com/developers/resources/message#message-object-message-types */
const REPLY = 19;
/** Responses of apps to a slash command and to a context menu command. */
const COMMAND = 20;
const MENU_COMMAND = 23;
const messageTypes: ReadonlySet<number> = new Set([0, REPLY, COMMAND, MENU_COMMAND]);
const FORWARD = 1;
/** https://docs.discord.com/developers/resources/message#message-object-message-flags */
const IS_CROSSPOST = 1 << 1;

type Context = Readonly<Record<string, string>>;
type Decoder = (data: unknown, context: Context) => readonly InboundEvent[];

const unsupported = (what: string): readonly InboundEvent[] => [{ type: 'unsupported', what }];

const decoders: Readonly<Record<string, Decoder>> = {
  MESSAGE_CREATE: checked(messageSchema, received),
  MESSAGE_UPDATE: checked(messageSchema, edited),
  MESSAGE_DELETE: checked(deletedSchema, (data, context) => [deleted(data.id, data, context)]),
  MESSAGE_DELETE_BULK: checked(bulkDeletedSchema, (data, context) =>
    data.ids.map((id) => deleted(id, data, context)),
  ),
  MESSAGE_REACTION_ADD: checked(reactionSchema, (data, context) => [reaction(data, context, 'added')]),
  MESSAGE_REACTION_REMOVE: checked(reactionSchema, (data, context) => [reaction(data, context, 'removed')]),
  MESSAGE_REACTION_REMOVE_ALL: checked(clearedSchema, cleared),
  MESSAGE_REACTION_REMOVE_EMOJI: checked(clearedSchema, cleared),
  INTERACTION_CREATE: checked(interactionSchema, interaction),
  TYPING_START: checked(typingSchema, typing),
  CHANNEL_UPDATE: checked(channelSchema, renamed),
  THREAD_UPDATE: checked(channelSchema, renamed),
  CHANNEL_DELETE: checked(channelSchema, closed),
  THREAD_DELETE: checked(channelSchema, closed),
  GUILD_MEMBER_ADD: checked(serverMemberSchema, (data, context) => membership(data, context, 'joined')),
  GUILD_MEMBER_REMOVE: checked(serverMemberSchema, (data, context) => membership(data, context, 'left')),
  GUILD_CREATE: checked(serverSchema, (data, context) => access(data, context, 'joined')),
  GUILD_DELETE: checked(serverSchema, (data, context) => access(data, context, 'left')),
  GAP: checked(gapSchema, ({ since, reason }) => [{ type: 'gap', since, reason }]),
};

/** Decodes a stored gateway event. */
export function decode(envelope: Envelope): readonly InboundEvent[] {
  const dispatch = dispatchSchema.safeParse(envelope.payload);
  if (!dispatch.success) return unsupported('not a gateway event');
  const { t, s, d } = dispatch.data;
  const data = t === 'GAP' ? envelope.payload : d;
  const decoder = Object.hasOwn(decoders, t) ? decoders[t] : undefined;
  const events = decoder?.(data, envelope.context ?? {}) ?? unsupported(`event ${t}`);
  // The position in the session orders two changes of the same millisecond.
  const place = typeof s === 'number' ? { sequence: s } : {};
  return events.map((event) => (isChange(event) ? { ...event, ...place } : event));
}

/** Discord itself sends changes and decides who may cause them. */
const byDiscord = { authority: 'platform' } as const;

function checked<Schema extends z.ZodType>(
  schema: Schema,
  decoder: (data: z.infer<Schema>, context: Context) => readonly InboundEvent[],
): Decoder {
  return (data, context) => {
    const parsed = schema.safeParse(data);
    return parsed.success ? decoder(parsed.data, context) : unsupported('malformed event');
  };
}

function received(message: DiscordMessage, context: Context): readonly InboundEvent[] {
  if (!messageTypes.has(message.type)) return unsupported(`message type ${message.type}`);
  const content = contentOf(message, context);
  if (content.text === '' && content.attachments.length === 0) return unsupported('message without content');
  const reply = message.message_reference;
  return [
    {
      type: 'message',
      chat: chatOf(message, context),
      at: timeOf(message.timestamp, context),
      ...(message.edited_timestamp ? { editedAt: timeOf(message.edited_timestamp, context) } : {}),
      messageId: remoteMessageId(message.id),
      sender: senderOf(message),
      content,
      ...(message.type === REPLY && reply?.message_id && reply.type !== FORWARD
        ? { replyToId: remoteMessageId(reply.message_id) }
        : {}),
      ...announcementOf(message),
      ...echo(isOwn(message, context)),
    },
  ];
}

/** Discord also sends an update when it adds an embed or a thread, and when the message is pinned. */
function edited(message: DiscordMessage, context: Context): readonly InboundEvent[] {
  if (!messageTypes.has(message.type)) return unsupported(`message type ${message.type}`);
  if (!message.edited_timestamp || typeof message.content !== 'string' || isPin(message, context.received_at))
    return unsupported('update that changes no content');
  const content = contentOf(message, context);
  if (content.text === '' && content.attachments.length === 0) return unsupported('message without content');
  return [
    {
      type: 'message_edited',
      ...byDiscord,
      chat: chatOf(message, context),
      at: timeOf(message.edited_timestamp, context),
      messageId: remoteMessageId(message.id),
      sender: senderOf(message),
      content,
      ...announcementOf(message),
      ...echo(isOwn(message, context)),
    },
  ];
}

function announcementOf({ flags, message_reference: reference }: DiscordMessage) {
  const { channel_id, message_id } = reference ?? {};
  if (((flags ?? 0) & IS_CROSSPOST) === 0 || !channel_id || !message_id) return {};
  return { copyOf: { chatId: remoteChatId(channel_id), messageId: remoteMessageId(message_id) } };
}

function deleted(
  id: string,
  data: { readonly channel_id: string; readonly guild_id?: string | null | undefined },
  context: Context,
): InboundEvent {
  const at = timeOf(undefined, context);
  const messageId = remoteMessageId(id);
  return { type: 'message_deleted', ...byDiscord, chat: chatOf(data, context), at, messageId };
}

function reaction(
  data: z.infer<typeof reactionSchema>,
  context: Context,
  change: 'added' | 'removed',
): InboundEvent {
  return {
    type: 'reaction',
    ...byDiscord,
    chat: chatOf(data, context),
    at: timeOf(undefined, context),
    messageId: remoteMessageId(data.message_id),
    sender: actorOf(data),
    emoji: emojiOf(data.emoji),
    change,
    ...echo(data.user_id === context.self),
  };
}

const emojiOf = ({ id, name }: z.infer<typeof reactionSchema>['emoji']): string =>
  id ? `:${(name ?? 'deleted').toLowerCase()}:` : (name ?? 'deleted');

function cleared(data: z.infer<typeof clearedSchema>, context: Context): readonly InboundEvent[] {
  return [
    {
      type: 'reactions_cleared',
      ...byDiscord,
      chat: chatOf(data, context),
      at: timeOf(undefined, context),
      messageId: remoteMessageId(data.message_id),
      ...(data.emoji ? { emoji: emojiOf(data.emoji) } : {}),
    },
  ];
}

/** A command or a button press becomes a message of the person. A press replies to the message with the button. */
function interaction(data: Interaction, context: Context): readonly InboundEvent[] {
  const who = data.member?.user ?? data.user;
  const text = interactionText(data);
  if (!who || text === undefined || text === '') return unsupported(`interaction type ${data.type}`);
  return [
    {
      type: 'message',
      chat: chatOf(data, context),
      at: timeOf(undefined, context),
      messageId: remoteMessageId(data.id),
      sender: remoteUser(who, data.member?.nick),
      content: plainContent(text),
      ...(data.message ? { replyToId: remoteMessageId(data.message.id) } : {}),
    },
  ];
}

function typing(data: z.infer<typeof typingSchema>, context: Context): readonly InboundEvent[] {
  const { user_id, timestamp } = data;
  const at = timestamp ? new Date(timestamp * 1000).toISOString() : undefined;
  return [
    {
      type: 'typing',
      chat: chatOf(data, context),
      at: timeOf(at, context),
      sender: actorOf(data),
      state: 'started',
      ...echo(user_id === context.self),
    },
  ];
}

type ChannelData = z.infer<typeof channelSchema>;

const placeOf = ({ id, guild_id }: ChannelData, context: Context): RemoteChat =>
  chatOf({ channel_id: id, guild_id }, context);

function renamed(data: ChannelData, context: Context): readonly InboundEvent[] {
  if (!data.name) return unsupported('channel without a name');
  const chat = placeOf(data, context);
  return [{ type: 'chat_renamed', chat, at: timeOf(undefined, context), title: data.name }];
}

/** When a channel is deleted, the bot leaves it. */
function closed(data: ChannelData, context: Context): readonly InboundEvent[] {
  const id = remoteUserId(context.self ?? '0');
  const user = { id, isBot: true };
  const at = timeOf(undefined, context);
  return [{ type: 'membership', chat: placeOf(data, context), at, user, change: 'left', self: true }];
}

/** The bot left a server, the server was deleted, or the bot was added. */
function access(
  { id }: z.infer<typeof serverSchema>,
  context: Context,
  change: 'joined' | 'left',
): readonly InboundEvent[] {
  const user = { id: context.self ?? '0', username: 'bot', bot: true };
  return membership({ guild_id: id, user }, context, change);
}

/** A person who joins a server joins each of its channels that is visible to all members. */
function membership(
  data: z.infer<typeof serverMemberSchema>,
  context: Context,
  change: 'joined' | 'left',
): readonly InboundEvent[] {
  const channels = (context.channels ?? '').split(',').filter((each) => /^\d+$/.test(each));
  if (channels.length === 0) return unsupported('member of a server without open channels');
  const user = remoteUser(data.user, data.nick);
  const self = data.user.id === context.self ? { self: true } : {};
  return channels.map((channel_id) => ({
    type: 'membership',
    chat: chatOf({ channel_id, guild_id: data.guild_id }, {}),
    at: timeOf(undefined, context),
    user,
    change,
    ...self,
  }));
}

/** A thread belongs to its channel. Only direct messages have no server. */
function chatOf(
  data: { readonly channel_id: string; readonly guild_id?: string | null | undefined },
  context: Context,
): RemoteChat {
  const { chat_title: title, thread_of: parent } = context;
  return {
    id: remoteChatId(parent ?? data.channel_id),
    ...(parent === undefined ? {} : { threadId: remoteThreadId(data.channel_id) }),
    kind: data.guild_id ? 'group' : 'direct',
    ...(title === undefined ? {} : { title }),
  };
}

/** Whether the bot itself or a webhook of its application wrote the message. */
function isOwn(message: DiscordMessage, context: Context): boolean {
  if (message.author.id === context.self) return true;
  return Boolean(message.webhook_id) && message.application_id === context.application;
}

const echo = (own: boolean): { readonly echo?: true } => (own ? { echo: true } : {});

/** Deletions and reactions have no time of their own, so the time of receipt is used. */
function timeOf(timestamp: string | null | undefined, context: Context): string {
  const at = new Date(timestamp ?? context.received_at ?? 0);
  return Number.isNaN(at.getTime()) ? new Date(0).toISOString() : at.toISOString();
}
