import type { ChatMember, Message, ReactionTypeEmoji, User } from 'grammy/types';
import type { SimulatedFile } from '../../../src/contract/simulation/index.js';
import {
  type FileKind,
  messageObject,
  type PendingUpdate,
  type StoredChat,
  type StoredMessage,
} from './state.js';

/** Updates about actions of people other than writing. */

export interface ButtonPress {
  readonly id: string;
  readonly label: string;
  readonly data: string;
}

/** The kind that clients use for a file of this type. */
export function fileKindOf({ mimeType }: SimulatedFile): FileKind {
  const [family] = mimeType.split('/', 1);
  if (family === 'image') return 'photo';
  if (family === 'video') return 'video';
  if (mimeType === 'audio/ogg') return 'voice';
  return family === 'audio' ? 'audio' : 'document';
}

export function reactionUpdate(
  { chat }: StoredChat,
  { id }: StoredMessage,
  user: User,
  before: string | undefined,
  after: string | undefined,
): PendingUpdate {
  const shown = (emoji: string | undefined) =>
    emoji === undefined ? [] : [{ type: 'emoji', emoji } as ReactionTypeEmoji];
  return {
    message_reaction: {
      chat,
      message_id: id,
      user,
      date: now(),
      old_reaction: shown(before),
      new_reaction: shown(after),
    },
  };
}

export function buttonUpdate(
  stored: StoredChat,
  message: StoredMessage,
  from: User,
  { id, label, data }: ButtonPress,
): PendingUpdate {
  const reply_markup = { inline_keyboard: [[{ text: label, callback_data: data }]] };
  return {
    callback_query: {
      id,
      from,
      chat_instance: String(stored.chat.id),
      data,
      message: { ...messageObject(stored, message), reply_markup } as Message,
    },
  };
}

export function blockUpdate({ chat }: StoredChat, from: User, bot: User, blocked: boolean): PendingUpdate {
  return {
    my_chat_member: {
      chat,
      from,
      date: now(),
      old_chat_member: membership(bot, !blocked),
      new_chat_member: membership(bot, blocked),
    },
  };
}

function membership(user: User, blocked: boolean): ChatMember {
  return blocked ? { status: 'kicked', user, until_date: 0 } : { status: 'member', user };
}

/** The updates about a migration: one in the old chat, one in the new chat. */
export function migrationUpdates(
  stored: StoredChat,
  moved: StoredChat,
  from: User,
): readonly PendingUpdate[] {
  const service = { message_id: stored.messages.length + 1, from, date: now() };
  return [
    { message: { ...service, chat: groupOf(stored), migrate_to_chat_id: moved.chat.id } },
    { message: { ...service, message_id: 1, chat: groupOf(moved), migrate_from_chat_id: stored.chat.id } },
  ];
}

function groupOf({ chat }: StoredChat) {
  if (chat.type !== 'group' && chat.type !== 'supergroup') throw new Error(`Chat ${chat.id} is no group.`);
  return chat;
}

const now = () => Math.floor(Date.now() / 1000);
