import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import { discordDefinition } from '../../../adapters/discord/definition.js';
import { parseMarkdown } from '../../../adapters/discord/inbound/markdown-parser.js';
import { envelopeOf, gapEnvelope } from '../../../adapters/discord/ingress/dispatch.js';
import { DiscordSimulator } from '../../../adapters/discord/simulator/index.js';
import type { Envelope, PartStep } from '../../../src/contract/index.js';
import { defineKit } from '../../../src/testing/index.js';
import { builtModule } from './built-module.js';

const AT = '2026-03-01T10:00:05.000Z';
const session = {
  sessionId: 'session',
  resumeUrl: 'wss://gateway.discord.gg',
  sequence: 7,
  tokenHash: 'hash',
  userId: '700000000000000001',
  applicationId: '600000000000000001',
  at: AT,
};
const author = {
  id: '213765432109876543',
  username: 'ada.l',
  discriminator: '0',
  global_name: 'Ada L.',
  avatar: null,
};
const message = {
  id: '1345678901234567890',
  type: 0,
  content: 'hello **there**',
  channel_id: '1098765432109876543',
  guild_id: '998765432109876543',
  author,
  timestamp: '2026-03-01T10:00:00.123000+00:00',
  edited_timestamp: null,
  tts: false,
  mention_everyone: false,
  mentions: [],
  mention_roles: [],
  attachments: [],
  embeds: [],
  pinned: false,
  components: [],
};
const file = {
  id: '1345678901234567999',
  filename: 'a.png',
  content_type: 'image/png',
  size: 9,
  url: 'https://cdn.discordapp.com/attachments/1/2/a.png?ex=1',
  proxy_url: 'https://media.discordapp.net/a.png',
};

/** Dispatches in the shapes of https://docs.discord.com/developers/events/gateway-events. */
const dispatches: readonly (readonly [string, object])[] = [
  ['MESSAGE_CREATE', message],
  ['MESSAGE_CREATE', { ...message, id: '1345678901234567891', guild_id: undefined, content: 'direct' }],
  ['MESSAGE_CREATE', { ...message, id: '1345678901234567892', content: '', attachments: [file] }],
  [
    'MESSAGE_CREATE',
    {
      ...message,
      id: '1345678901234567893',
      type: 19,
      message_reference: { type: 0, message_id: message.id, channel_id: message.channel_id },
    },
  ],
  [
    'MESSAGE_UPDATE',
    { ...message, content: 'changed', edited_timestamp: '2026-03-01T10:01:00.000000+00:00' },
  ],
  ['MESSAGE_DELETE', { id: message.id, channel_id: message.channel_id, guild_id: message.guild_id }],
  ['MESSAGE_DELETE_BULK', { ids: [message.id], channel_id: message.channel_id, guild_id: message.guild_id }],
  [
    'MESSAGE_REACTION_ADD',
    {
      user_id: author.id,
      channel_id: message.channel_id,
      message_id: message.id,
      guild_id: message.guild_id,
      emoji: { id: null, name: '👍' },
      type: 0,
      burst: false,
    },
  ],
];
const corpus = [
  ...dispatches.map(
    ([t, d], place) =>
      envelopeOf(
        { op: 0, t, s: place + 1, d: JSON.parse(JSON.stringify(d)) } as unknown as GatewayDispatchPayload,
        session,
        AT,
      ) as Envelope,
  ),
  gapEnvelope(session, 'The session could not be resumed.'),
];

function read({ payload }: PartStep) {
  const content = String(payload.content ?? '');
  return { counted: content, content: parseMarkdown(content, new Map()) };
}

const HEARTBEAT_MS = 1_000;

export const discordKits = [
  defineKit({
    definition: discordDefinition,
    module: builtModule('adapters/discord/definition.js', 'discordDefinition'),
    simulator: () => new DiscordSimulator({ limits: 'none', heartbeatMs: HEARTBEAT_MS }),
    read,
    corpus,
    pinned: [
      {
        envelope: corpus[0] as Envelope,
        chatId: '1098765432109876543',
        messageId: '1345678901234567890',
        userId: '213765432109876543',
        reads: { content: { spans: [{ mark: 'bold' }] } },
      },
      {
        envelope: corpus[2] as Envelope,
        chatId: '1098765432109876543',
        reads: { content: { attachments: [{ type: 'image' }] } },
      },
    ],
    groupMentions: ['@everyone', '@here', '<@&998765432109876599>'],
    heartbeatMs: HEARTBEAT_MS,
  }),
];
