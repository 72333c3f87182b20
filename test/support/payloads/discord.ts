import type { JsonObject, JsonValue } from '../../../src/contract/index.js';

const ts = 1_770_000_000;

const du = {
  id: '600000000000000009',
  username: 'bob',
  global_name: 'Bob',
  avatar: 'aa',
  discriminator: '0',
  bot: false,
};
const dm = (t: string, d: JsonObject) => ({ op: 0, t, s: 5, d });
const dmsg = {
  id: '1100000000000000001',
  channel_id: '1000000000000000001',
  guild_id: '900000000000000001',
  author: du,
  member: { nick: 'Bobby', roles: [] },
  content: 'Hi <@600000000000000009> **b** <#1000000000000000001> <:x:123456789012345678>',
  timestamp: '2026-01-01T00:00:00.000000+00:00',
  edited_timestamp: null,
  type: 0,
  mentions: [du],
  attachments: [
    {
      id: '5',
      filename: 'a.png',
      url: 'https://cdn.discordapp.com/a.png?ex=1',
      proxy_url: 'https://media.discordapp.net/a.png',
      size: 5,
      content_type: 'image/png',
      width: 1,
      height: 1,
    },
  ],
  embeds: [
    {
      type: 'rich',
      title: 't',
      url: 'https://x.example',
      description: 'd',
      fields: [{ name: 'n', value: 'v' }],
      footer: { text: 'f' },
      image: { url: 'https://x.example/i.png' },
    },
  ],
  components: [
    { type: 1, components: [{ type: 2, label: 'L', style: 1, custom_id: 'c' }] },
    {
      type: 17,
      components: [
        { type: 10, content: 'text' },
        { type: 12, items: [{ media: { url: 'https://x.example/m.png' } }] },
      ],
    },
  ],
  sticker_items: [{ id: '9', name: 's', format_type: 4 }],
  poll: {
    question: { text: 'q' },
    answers: [{ answer_id: 1, poll_media: { text: 'a', emoji: { name: '👍' } } }],
  },
  flags: 0,
  message_reference: { message_id: '1', channel_id: '1000000000000000001', type: 1 },
  message_snapshots: [{ message: { content: 'orig', embeds: [], attachments: [], mentions: [] } }],
};
/** Gateway events with as many of the documented fields as possible (https://docs.discord.com/developers/events/gateway-events). */
export const discordEvents: readonly JsonValue[] = [
  dm('MESSAGE_CREATE', dmsg),
  dm('MESSAGE_UPDATE', { ...dmsg, edited_timestamp: '2026-01-01T00:00:05+00:00' }),
  dm('MESSAGE_CREATE', {
    ...dmsg,
    type: 19,
    message_reference: { message_id: '1100000000000000000', channel_id: '1000000000000000001' },
  }),
  dm('MESSAGE_DELETE', { id: '1', channel_id: '2', guild_id: '3' }),
  dm('MESSAGE_DELETE_BULK', { ids: ['1', '2'], channel_id: '2' }),
  dm('MESSAGE_REACTION_ADD', {
    user_id: '1',
    channel_id: '2',
    message_id: '3',
    guild_id: '4',
    emoji: { id: null, name: '👍' },
    member: { user: du },
  }),
  dm('MESSAGE_REACTION_REMOVE_ALL', { channel_id: '2', message_id: '3' }),
  dm('MESSAGE_REACTION_REMOVE_EMOJI', { channel_id: '2', message_id: '3', emoji: { id: '5', name: 'Wow' } }),
  dm('INTERACTION_CREATE', {
    id: '1',
    application_id: '2',
    type: 2,
    token: 't',
    channel_id: '2',
    guild_id: '3',
    member: { user: du, nick: null },
    data: {
      id: '5',
      name: 'cmd',
      type: 1,
      options: [{ name: 'o', type: 6, value: '600000000000000009' }],
      resolved: { users: { '600000000000000009': du } },
    },
  }),
  dm('INTERACTION_CREATE', {
    id: '1',
    application_id: '2',
    type: 5,
    token: 't',
    channel_id: '2',
    user: du,
    data: { custom_id: 'm', components: [{ type: 18, component: { type: 4, custom_id: 'x', value: 'v' } }] },
  }),
  dm('TYPING_START', { channel_id: '2', user_id: '3', timestamp: ts, member: { user: du } }),
  dm('CHANNEL_UPDATE', { id: '2', guild_id: '3', name: 'n', type: 0 }),
  dm('THREAD_UPDATE', { id: '2', guild_id: '3', parent_id: '4', name: 'n', type: 11 }),
  dm('CHANNEL_DELETE', { id: '2', guild_id: '3', name: 'n' }),
  dm('GUILD_MEMBER_ADD', { guild_id: '3', user: du }),
  dm('GUILD_DELETE', { id: '3' }),
  dm('GUILD_CREATE', { id: '3', channels: [] }),
];
