import type { JsonObject, JsonValue } from '../../../src/contract/index.js';

const ts = 1_770_000_000;
const tgUser = {
  id: 700001,
  is_bot: false,
  first_name: 'Ada',
  last_name: 'L',
  username: 'ada',
  language_code: 'en',
};
const tgChat = { id: -1001234567890, type: 'supergroup', title: 'G', is_forum: true };
const tg = (m: JsonObject) => ({
  update_id: 5,
  message: { message_id: 10, from: tgUser, chat: tgChat, date: ts, ...m },
});
const file = {
  file_id: 'AgAC',
  file_unique_id: 'x',
  file_size: 10,
  width: 3,
  height: 3,
  mime_type: 'video/mp4',
  file_name: 'a.mp4',
  duration: 3,
};
/** Updates with as many of the documented fields as possible (https://core.telegram.org/bots/api#update). */
export const telegramUpdates: readonly JsonValue[] = [
  tg({
    text: 'Hi @bot /start@our_bot',
    entities: [
      { type: 'bold', offset: 0, length: 2 },
      { type: 'text_link', offset: 3, length: 4, url: 'https://x.example' },
      { type: 'bot_command', offset: 8, length: 14 },
    ],
  }),
  tg({
    photo: [file, file],
    caption: 'c',
    caption_entities: [{ type: 'spoiler', offset: 0, length: 1 }],
    media_group_id: '1',
  }),
  tg({ voice: file }),
  tg({ video_note: file }),
  tg({ audio: file }),
  tg({ document: file }),
  tg({ animation: file, document: file }),
  tg({ sticker: { ...file, is_animated: true, emoji: '😀', type: 'regular', set_name: 's' } }),
  tg({ location: { latitude: 1, longitude: 2, live_period: 60, horizontal_accuracy: 3, heading: 4 } }),
  tg({
    venue: { location: { latitude: 1, longitude: 2 }, title: 'T', address: 'A' },
    location: { latitude: 1, longitude: 2 },
  }),
  tg({ contact: { phone_number: '+49', first_name: 'B', last_name: 'C', vcard: 'X' } }),
  tg({ dice: { emoji: '🎲', value: 3 } }),
  tg({ poll: { id: '1', question: 'q', options: [{ text: 'a', voter_count: 0 }], is_anonymous: true } }),
  tg({
    checklist: { title: 't', tasks: [{ id: 1, text: 'x', completed_by_user: tgUser, completion_date: 4 }] },
  }),
  tg({ story: { id: 1, chat: { ...tgChat, username: 'chan' } } }),
  tg({ paid_media: { star_count: 1, paid_media: [{ type: 'photo', photo: [file] }] }, caption: 'x' }),
  tg({ text: 'fwd', forward_origin: { type: 'hidden_user', sender_user_name: 'X', date: ts } }),
  tg({
    text: 'fwd',
    forward_origin: { type: 'channel', chat: tgChat, message_id: 5, author_signature: 's', date: ts },
    is_automatic_forward: true,
    sender_chat: tgChat,
  }),
  tg({
    text: 'q',
    reply_to_message: { message_id: 4, chat: tgChat, date: ts },
    quote: { text: 'part', position: 0, entities: [{ type: 'bold', offset: 0, length: 2 }] },
  }),
  tg({
    text: 'e',
    external_reply: {
      origin: { type: 'user', sender_user: tgUser, date: ts },
      photo: [file],
      chat: tgChat,
      message_id: 3,
    },
  }),
  tg({
    text: 't',
    is_topic_message: true,
    message_thread_id: 77,
    reply_to_message: { message_id: 77, forum_topic_created: { name: 'n', icon_color: 1 } },
  }),
  tg({
    text: 'd',
    chat: { ...tgChat, is_direct_messages: true },
    direct_messages_topic: { topic_id: 701, user: tgUser },
  }),
  tg({ new_chat_members: [tgUser, { ...tgUser, id: 5 }] }),
  tg({ left_chat_member: tgUser }),
  tg({ new_chat_title: 'N' }),
  tg({ forum_topic_created: { name: 'n' }, message_thread_id: 4 }),
  tg({ migrate_to_chat_id: -1009 }),
  tg({ migrate_from_chat_id: -9 }),
  tg({ group_chat_created: true }),
  tg({ pinned_message: { message_id: 1, chat: tgChat, date: 0 } }),
  tg({ video_chat_started: {} }),
  tg({ gift: { gift: { id: 'x' }, text: 'n', entities: [] } }),
  tg({ unique_gift: { gift: { base_name: 'B', number: 4 } } }),
  tg({ users_shared: { request_id: 1, users: [{ user_id: 1, first_name: 'S' }] } }),
  tg({ web_app_data: { data: '{}', button_text: 'b' } }),
  tg({ rich_message: { blocks: [{ type: 'paragraph', text: ['a', { text: 'b' }] }] } }),
  { update_id: 6, edited_message: { ...tg({ text: 'new' }).message, edit_date: ts + 5 } },
  {
    update_id: 6,
    edited_message: { ...tg({ location: { latitude: 1, longitude: 2 } }).message, edit_date: ts + 5 },
  },
  {
    update_id: 7,
    channel_post: {
      message_id: 3,
      chat: { id: -1005, type: 'channel', title: 'C' },
      sender_chat: { id: -1005, type: 'channel', title: 'C' },
      author_signature: 'Ada',
      date: ts,
      text: 'post',
    },
  },
  {
    update_id: 8,
    my_chat_member: {
      chat: { id: 700001, type: 'private', first_name: 'Ada' },
      from: tgUser,
      date: ts,
      old_chat_member: { status: 'member', user: tgUser },
      new_chat_member: { status: 'kicked', user: tgUser, until_date: 0 },
    },
  },
  {
    update_id: 9,
    message_reaction: {
      chat: tgChat,
      message_id: 4,
      user: tgUser,
      date: ts,
      old_reaction: [
        { type: 'emoji', emoji: '👍' },
        { type: 'custom_emoji', custom_emoji_id: '5' },
      ],
      new_reaction: [{ type: 'emoji', emoji: '❤' }, { type: 'paid' }],
    },
  },
  {
    update_id: 10,
    callback_query: {
      id: 'cb',
      from: tgUser,
      chat_instance: '1',
      data: 'v',
      message: {
        message_id: 4,
        chat: tgChat,
        date: 0,
        reply_markup: { inline_keyboard: [[{ text: 'L', callback_data: 'v' }]] },
      },
    },
  },
];
