import {
  type Envelope,
  type InboundEvent,
  isChange,
  type LocationReported,
  type MembershipChanged,
  plainContent,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
  type UnsupportedEvent,
} from '../../../src/contract/index.js';
import { omitUndefined } from '../omit-undefined.js';
import { byTelegram, changeIn, channelPostOf } from './changes.js';
import {
  chatOf,
  chatOfMessage,
  chatSender,
  eventContextOf,
  type KnownBot,
  senderOf,
  timeOf,
  userOf,
} from './chats.js';
import { contentOf } from './message-content.js';
import {
  callbackSchema,
  type MemberPayload,
  type MessagePayload,
  memberUpdateSchema,
  messageSchema,
  reactionUpdateSchema,
  type UserPayload,
} from './update.js';

const botOf = ({ context }: Envelope): KnownBot => ({ id: context?.bot_id, handle: context?.bot_handle });

type Decoder = (body: unknown, bot: KnownBot, receivedAt: string | undefined) => readonly InboundEvent[];

/** Update kinds with a meaning for the bridge; every other kind is unsupported. */
const decoders: Readonly<Record<string, Decoder>> = {
  message: decodeMessage,
  channel_post: decodeMessage,
  edited_message: decodeEdit,
  edited_channel_post: decodeEdit,
  my_chat_member: decodeMember,
  chat_member: decodeMember,
  message_reaction: decodeReaction,
  callback_query: decodeCallback,
};

/** Decodes one update. An update holds one kind of event (https://core.telegram.org/bots/api#update). */
export function decode(envelope: Envelope): readonly InboundEvent[] {
  const update = envelope.payload;
  if (typeof update !== 'object' || update === null) return [unsupported('payload')];
  const since = envelope.context?.gap_since;
  if (since !== undefined) return [{ type: 'gap', since, reason: reasonIn(update) }];
  for (const [kind, body] of Object.entries(update)) {
    const decoder = Object.hasOwn(decoders, kind) ? decoders[kind] : undefined;
    if (decoder !== undefined) {
      const events = decoder(body, botOf(envelope), envelope.context?.received_at);
      return events.map((event) => (isChange(event) ? { ...event, ...changeIn(update) } : event));
    }
  }
  return [unsupported(Object.keys(update).find((key) => key !== 'update_id') ?? 'empty')];
}

const reasonIn = (payload: object): string =>
  'reason' in payload && typeof payload.reason === 'string' ? payload.reason : 'Updates were missed.';

const unsupported = (what: string): UnsupportedEvent => ({ type: 'unsupported', what: what.slice(0, 64) });

function decodeMessage(body: unknown, bot: KnownBot): readonly InboundEvent[] {
  const parsed = messageSchema.safeParse(body);
  if (!parsed.success) return [unsupported('message.malformed')];
  const message = parsed.data;
  const content = contentOf(message, bot.handle);
  if (content === undefined) return serviceEvents(message, bot, body);
  // Id 0 means a message that is not sent yet. Nothing can refer to it.
  if (message.message_id === 0) return [unsupported('message.without_id')];
  return [
    omitUndefined({
      type: 'message' as const,
      ...eventContextOf(message, message.date, bot),
      messageId: remoteMessageId(message.message_id),
      sender: senderOf(message),
      content,
      replyToId: replyOf(message),
      copyOf: channelPostOf(message),
    }),
    ...liveLocationOf(message, message.date, message.location?.live_period !== undefined, bot),
  ];
}

function decodeEdit(body: unknown, bot: KnownBot): readonly InboundEvent[] {
  const parsed = messageSchema.safeParse(body);
  if (!parsed.success) return [unsupported('edited_message.malformed')];
  const message = parsed.data;
  const editedAt = message.edit_date ?? message.date;
  // A live location changes its coordinates only. The text of the message stays the same.
  if (message.location !== undefined) return liveLocationOf(message, editedAt, true, bot);
  const content = contentOf(message, bot.handle);
  if (content === undefined || message.message_id === 0) return [unsupported('edited_message.service')];
  return [
    omitUndefined({
      type: 'message_edited' as const,
      ...byTelegram,
      ...eventContextOf(message, editedAt, bot),
      messageId: remoteMessageId(message.message_id),
      sender: senderOf(message),
      content,
      copyOf: channelPostOf(message),
    }),
  ];
}

/** https://core.telegram.org/bots/api#location */
function liveLocationOf(
  message: MessagePayload,
  date: number,
  live: boolean,
  bot: KnownBot,
): LocationReported[] {
  if (!live || message.location === undefined) return [];
  const { latitude, longitude, horizontal_accuracy: accuracy, heading } = message.location;
  return [
    omitUndefined({
      type: 'location' as const,
      ...eventContextOf(message, date, bot),
      sender: senderOf(message),
      latitude,
      longitude,
      accuracy,
      heading,
    }),
  ];
}

/** Service messages (https://core.telegram.org/bots/api#message) that change the chat itself. */
function serviceEvents(message: MessagePayload, bot: KnownBot, body: unknown): readonly InboundEvent[] {
  const where = eventContextOf(message, message.date, bot);
  if (message.migrate_to_chat_id !== undefined)
    return [
      { type: 'chat_moved', ...where, toChatId: remoteChatId(message.migrate_to_chat_id), renumbered: true },
    ];
  // Telegram sends this update to both chats, as the first one after the migration. Either chat may lag behind.
  if (message.migrate_from_chat_id !== undefined) {
    const chat = { ...where.chat, id: remoteChatId(message.migrate_from_chat_id) };
    return [{ type: 'chat_moved', ...where, chat, toChatId: where.chat.id, renumbered: true }];
  }
  if (message.new_chat_title !== undefined)
    return [{ type: 'chat_renamed', ...where, title: message.new_chat_title }];
  const topic = message.forum_topic_created?.name ?? message.forum_topic_edited?.name;
  if (topic !== undefined && topic !== '' && message.message_thread_id !== undefined) {
    const threadId = remoteThreadId(message.message_thread_id);
    return [{ type: 'chat_renamed', ...where, chat: { ...where.chat, threadId }, title: topic }];
  }
  const joined = message.new_chat_members ?? [];
  const left = message.left_chat_member === undefined ? [] : [message.left_chat_member];
  const changes: MembershipChanged[] = [
    ...joined.map((user) => membership(user, 'joined' as const)),
    ...left.map((user) => membership(user, 'left' as const)),
  ]
    // my_chat_member reports when the bot itself joins or leaves.
    .filter(({ user }) => user.id !== bot.id)
    .map((change) => ({ ...where, ...change }));
  return changes.length > 0 ? changes : [unsupported(`message.${serviceKind(body)}`)];
}

const membership = (user: UserPayload, change: 'joined' | 'left') =>
  ({ type: 'membership', user: userOf(user), change }) as const;

const commonKeys = new Set(['message_id', 'message_thread_id', 'from', 'sender_chat', 'chat', 'date']);

function serviceKind(body: unknown): string {
  return Object.keys(body as object).find((key) => !commonKeys.has(key)) ?? 'empty';
}

/** A restricted member may be in the chat or not (https://core.telegram.org/bots/api#chatmember). */
function isIn({ status, is_member }: MemberPayload): boolean {
  return status === 'restricted' ? is_member === true : status !== 'left' && status !== 'kicked';
}

function decodeMember(body: unknown, bot: KnownBot): readonly InboundEvent[] {
  const parsed = memberUpdateSchema.safeParse(body);
  if (!parsed.success) return [unsupported('chat_member.malformed')];
  const { chat, from, date, old_chat_member: before, new_chat_member: after } = parsed.data;
  if (isIn(before) === isIn(after)) return [unsupported('chat_member.rights')];
  const where = { chat: chatOf(chat), at: timeOf(date) };
  // In private chats the update is received only when the person blocks or unblocks the bot.
  if (chat.type === 'private')
    return [
      { type: 'consent', ...where, user: userOf(from), change: isIn(after) ? 'opted_in' : 'opted_out' },
    ];
  const self = String(after.user.id) === bot.id ? true : undefined;
  return [omitUndefined({ ...where, ...membership(after.user, isIn(after) ? 'joined' : 'left'), self })];
}

/** A pressed button becomes a message with the label of the button. It replies to the message that has the button. */
function decodeCallback(body: unknown, _: KnownBot, receivedAt: string | undefined): readonly InboundEvent[] {
  const parsed = callbackSchema.safeParse(body);
  if (!parsed.success) return [unsupported('callback_query.without_message')];
  const { id, from, data, message } = parsed.data;
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
  const label = buttons.find(
    ({ callback_data }) => callback_data !== undefined && callback_data === data,
  )?.text;
  const text = label ?? data ?? '';
  if (text === '') return [unsupported('callback_query.empty')];
  return [
    omitUndefined({
      type: 'message' as const,
      chat: chatOfMessage(message),
      at: receivedAt ?? timeOf(message.date),
      messageId: remoteMessageId(`callback-${id}`),
      sender: userOf(from),
      content: plainContent(text),
      press: data === '' ? undefined : data,
      replyToId: message.message_id > 0 ? remoteMessageId(message.message_id) : undefined,
    }),
  ];
}

function decodeReaction(body: unknown, bot: KnownBot): readonly InboundEvent[] {
  const parsed = reactionUpdateSchema.safeParse(body);
  if (!parsed.success) return [unsupported('message_reaction.malformed')];
  const { chat, message_id, user, actor_chat, date, old_reaction, new_reaction } = parsed.data;
  const sender = user === undefined ? actor_chat && chatSender(actor_chat) : userOf(user);
  if (sender === undefined) return [unsupported('message_reaction.anonymous')];
  // Custom and paid reactions have no emoji and can't be shown elsewhere.
  const emojis = (list: typeof old_reaction) => list.flatMap(({ emoji }) => emoji ?? []);
  const before = emojis(old_reaction);
  const after = emojis(new_reaction);
  const changed = (emoji: string, change: 'added' | 'removed') =>
    omitUndefined({
      type: 'reaction' as const,
      ...byTelegram,
      chat: chatOf(chat),
      at: timeOf(date),
      echo: sender.id === bot.id ? true : undefined,
      messageId: remoteMessageId(message_id),
      sender,
      emoji,
      change,
    });
  const events = [
    ...before.filter((emoji) => !after.includes(emoji)).map((emoji) => changed(emoji, 'removed')),
    ...after.filter((emoji) => !before.includes(emoji)).map((emoji) => changed(emoji, 'added')),
  ];
  return events.length > 0 ? events : [unsupported('message_reaction.custom')];
}

/** In a topic every message formally replies to the message that opened the topic. */
function replyOf(message: MessagePayload) {
  const { reply_to_message: target, is_topic_message, message_thread_id } = message;
  const { checklist_tasks_done: done, checklist_tasks_added: added } = message;
  const answered = target ?? (done ?? added)?.checklist_message;
  if (answered === undefined) return undefined;
  if (is_topic_message === true && answered.message_id === message_thread_id) return undefined;
  return remoteMessageId(answered.message_id);
}
