import type { Chat, Message, Update, User } from 'grammy/types';
import { decode } from '../../../../adapters/telegram/inbound/decode.js';
import type { Envelope, InboundEvent, JsonObject } from '../../../../src/contract/index.js';

/** Updates in the shapes of https://core.telegram.org/bots/api, checked by the platform's published types. */

export const BOT_ID = '7000000001';

export const bot: User = {
  id: Number(BOT_ID),
  is_bot: true,
  first_name: 'Bridge',
  username: 'bridge_bot',
};

export const ada: User = {
  id: 700001,
  is_bot: false,
  first_name: 'Ada',
  last_name: 'Lovelace',
  username: 'ada',
  language_code: 'en',
};

export const privateChat: Chat.PrivateChat = {
  id: 700001,
  type: 'private',
  first_name: 'Ada',
  last_name: 'Lovelace',
};
export const supergroup: Chat.SupergroupChat = {
  id: -1001000000001,
  type: 'supergroup',
  title: 'Operations room',
};
export const smallGroup: Chat.GroupChat = { id: -500001, type: 'group', title: 'Small group' };
export const channel: Chat.ChannelChat = { id: -1001000000009, type: 'channel', title: 'News' };

/** 2026-01-01T00:00:00Z */
export const DATE = 1767225600;
export const AT = '2026-01-01T00:00:00.000Z';

type GroupMessage = NonNullable<Update['message']>;

export const inGroup = (content: Partial<Message>): GroupMessage => ({
  message_id: 41,
  from: ada,
  date: DATE,
  ...content,
  chat: supergroup,
});

export function envelope(update: Omit<Update, 'update_id'> & { update_id?: number }): Envelope {
  return {
    dedupeKey: '900000001',
    lane: '-1001000000001',
    payload: JSON.parse(JSON.stringify({ update_id: 900000001, ...update })) as JsonObject,
    context: { bot_id: BOT_ID },
  };
}

export const decoded = (update: Omit<Update, 'update_id'>): readonly InboundEvent[] =>
  decode(envelope(update));
