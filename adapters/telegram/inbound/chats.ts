import {
  type RemoteChat,
  type RemoteUser,
  remoteChatId,
  remoteThreadId,
  remoteUserId,
} from '../../../src/contract/index.js';
import { omitUndefined } from '../omit-undefined.js';
import type { ChatPayload, MessagePayload, UserPayload } from './update.js';

/** The bot that received the update. */
export interface KnownBot {
  readonly id: string | undefined;
  readonly handle: string | undefined;
}

/** Chat, thread and time of a message, and whether the bot itself sent it. */
export function eventContextOf(message: MessagePayload, date: number, bot: KnownBot) {
  return omitUndefined({
    chat: chatOfMessage(message),
    at: timeOf(date),
    echo: bot.id !== undefined && String(message.from?.id) === bot.id ? true : undefined,
  });
}

export const timeOf = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString();

const kinds = { private: 'direct', group: 'group', supergroup: 'group', channel: 'channel' } as const;

export function chatOf(chat: ChatPayload, threadId?: number): RemoteChat {
  return omitUndefined({
    id: remoteChatId(chat.id),
    threadId: threadId === undefined ? undefined : remoteThreadId(threadId),
    kind: kinds[chat.type],
    title: titleOf(chat),
  });
}

type Located = Pick<
  MessagePayload,
  'chat' | 'direct_messages_topic' | 'is_topic_message' | 'message_thread_id'
>;

/** In the direct messages of a channel each topic is a conversation with one person. All topics share one chat. */
export function chatOfMessage(message: Located): RemoteChat {
  const { chat, direct_messages_topic: topic, is_topic_message, message_thread_id } = message;
  if (topic === undefined) return chatOf(chat, is_topic_message === true ? message_thread_id : undefined);
  return omitUndefined({
    id: remoteChatId(chat.id),
    threadId: remoteThreadId(topic.topic_id),
    threadIsChat: true,
    kind: 'direct' as const,
    title: (topic.user && userOf(topic.user).displayName) ?? titleOf(chat),
  });
}

const titleOf = (chat: ChatPayload) =>
  chat.title ?? ([chat.first_name, chat.last_name].filter(Boolean).join(' ') || undefined);

export function userOf(user: UserPayload): RemoteUser {
  return omitUndefined({
    id: remoteUserId(user.id),
    displayName: [user.first_name, user.last_name].filter(Boolean).join(' ') || undefined,
    handle: user.username,
    locale: user.language_code,
    isBot: user.is_bot === true ? true : undefined,
  });
}

/** Anonymous administrators and channels write as a chat. `from` is then a fixed account of Telegram. */
export function senderOf({ sender_chat, from, author_signature, chat }: MessagePayload): RemoteUser {
  if (sender_chat === undefined && from !== undefined) return userOf(from);
  return chatSender(sender_chat ?? chat, author_signature);
}

export function chatSender(chat: ChatPayload, signature?: string): RemoteUser {
  return omitUndefined({ id: remoteUserId(chat.id), displayName: signature ?? titleOf(chat) });
}
