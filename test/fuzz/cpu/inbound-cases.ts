import { decode as decodeDiscord } from '../../../adapters/discord/inbound/decode.js';
import { decodeSandbox } from '../../../adapters/sandbox/inbound/decode.js';
import { decodeSms, envelopeOf, formFields } from '../../../adapters/sms/inbound/decode.js';
import { decode as decodeTelegram } from '../../../adapters/telegram/inbound/decode.js';
import type { JsonObject } from '../../../src/contract/index.js';
import { cases, HOOK_BYTES, type InboundCase, many } from './inbound-case.js';
import { slackCases } from './slack-cases.js';
import { textCases } from './text-cases.js';

const telegramSaid = (more: JsonObject): JsonObject => ({
  update_id: 900_000_001,
  message: {
    message_id: 41,
    date: 1_767_225_600,
    from: { id: 700_001, is_bot: false, first_name: 'Ada' },
    chat: { id: -1_001_000_000_001, type: 'supergroup', title: 'Room' },
    ...more,
  },
});

const telegram = cases(
  'telegram',
  (payload) =>
    decodeTelegram({
      dedupeKey: '1',
      lane: '1',
      payload,
      context: { bot_id: '7000000001', bot_handle: 'bridge_bot' },
    }),
  {
    text: (text) => telegramSaid({ text }),
    caption: (text) =>
      telegramSaid({ caption: text, photo: [{ file_id: 'a', file_unique_id: 'b', width: 1, height: 1 }] }),
    'entities side by side': (text) =>
      telegramSaid({
        text,
        entities: many(text, 64, (_, index) => ({ type: 'bold', offset: index * 2, length: 1 })),
      }),
    'entities inside each other': (text) =>
      telegramSaid({
        text,
        entities: many(text, 64, (_, index) => ({
          type: 'italic',
          offset: index,
          length: Math.max(1, text.length - index * 2),
        })),
      }),
    'entities that cross': (text) =>
      telegramSaid({
        text,
        entities: many(text, 64, (_, index) => ({
          type: ['bold', 'underline', 'text_link', 'blockquote'][index % 4] as string,
          offset: index,
          length: Math.max(1, Math.floor(text.length / 2)),
          url: 'https://a.example/',
        })),
      }),
    'a quote': (text) =>
      telegramSaid({
        text: 'x',
        quote: { text, position: 0 },
        external_reply: { origin: { type: 'hidden_user', sender_user_name: text.slice(0, 64), date: 1 } },
      }),
    'a poll': (text) =>
      telegramSaid({
        poll: {
          id: '1',
          question: 'Which?',
          options: many(text, 64, (piece) => ({ text: piece, voter_count: 0 })),
          type: 'regular',
        },
      }),
    'a checklist': (text) =>
      telegramSaid({
        checklist: { title: 'List', tasks: many(text, 64, (piece, id) => ({ id: id + 1, text: piece })) },
      }),
    'a contact': (text) => telegramSaid({ contact: { phone_number: text, first_name: text.slice(0, 64) } }),
    'a name': (text) => telegramSaid({ text: 'x', from: { id: 700_001, is_bot: false, first_name: text } }),
  },
);

const discordAuthor = {
  id: '213765432109876543',
  username: 'ada.l',
  discriminator: '0',
  global_name: 'Ada L.',
  avatar: null,
};
const discordSaid = (more: JsonObject): JsonObject => ({
  id: '1345678901234567890',
  type: 0,
  content: '',
  channel_id: '1098765432109876543',
  guild_id: '998765432109876543',
  author: discordAuthor,
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
  ...more,
});

const discord = cases(
  'discord',
  (d) =>
    decodeDiscord({
      dedupeKey: 'key',
      lane: 'lane',
      payload: { t: 'MESSAGE_CREATE', s: 7, d },
      context: {
        self: '700000000000000001',
        application: '600000000000000001',
        received_at: '2026-03-01T10:00:05.000Z',
      },
    }),
  {
    content: (content) => discordSaid({ content }),
    'content with mentions': (text) =>
      discordSaid({
        content: `${text}<@1>`,
        mentions: many(text, 96, (piece, index) => ({
          ...discordAuthor,
          id: String(index + 1),
          global_name: piece,
        })),
      }),
    'an embed': (text) =>
      discordSaid({ embeds: [{ type: 'rich', title: text.slice(0, 256), description: text }] }),
    'fields of an embed': (text) =>
      discordSaid({
        embeds: [{ type: 'rich', fields: many(text, 64, (piece) => ({ name: piece, value: piece })) }],
      }),
    embeds: (text) =>
      discordSaid({ embeds: many(text, 64, (piece) => ({ type: 'rich', description: piece })) }),
    'a text display': (text) => discordSaid({ flags: 32_768, components: [{ type: 10, content: text }] }),
    'text displays': (text) =>
      discordSaid({
        flags: 32_768,
        components: [{ type: 17, components: many(text, 64, (piece) => ({ type: 10, content: piece })) }],
      }),
    buttons: (text) =>
      discordSaid({
        components: many(text, 128, (piece) => ({
          type: 1,
          components: [{ type: 2, style: 5, label: piece, url: 'https://a.example/' }],
        })),
      }),
    'a forward': (text) =>
      discordSaid({
        message_reference: { type: 1, message_id: '1', channel_id: '2' },
        message_snapshots: [
          {
            message: {
              type: 0,
              content: text,
              embeds: [],
              attachments: [],
              timestamp: '2026-03-01T10:00:00Z',
              edited_timestamp: null,
              flags: 0,
              mentions: [],
              mention_roles: [],
            },
          },
        ],
      }),
    'a poll': (text) =>
      discordSaid({
        poll: {
          question: { text: 'Which?' },
          answers: many(text, 64, (piece, id) => ({ answer_id: id + 1, poll_media: { text: piece } })),
        },
      }),
    attachments: (text) =>
      discordSaid({
        attachments: many(text, 128, (piece, id) => ({
          id: String(id + 1),
          filename: piece,
          size: 1,
          url: 'https://a.example/',
          proxy_url: 'https://a.example/',
        })),
      }),
  },
);

const SMS = { MessageSid: `SM${'0'.repeat(32)}`, From: '+12025550143', To: '+14155550100', NumMedia: '0' };

function readForm(form: string): unknown {
  const fields = formFields(form);
  const envelope = fields && envelopeOf(fields, '2026-03-01T10:00:05.000Z');
  return envelope && decodeSms(envelope, undefined);
}

const formOf = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();
const sms: InboundCase[] = [
  {
    name: 'sms Body',
    largest: HOOK_BYTES / 3,
    read: (text) => readForm(formOf({ ...SMS, Body: text.toWellFormed() })),
  },
  { name: 'sms form', largest: HOOK_BYTES, read: (text) => readForm(`${formOf(SMS)}&${text}`) },
  {
    name: 'sms names',
    largest: HOOK_BYTES,
    read: (text) => readForm(`${formOf(SMS)}&${many(text, 8, (_, index) => `n${index}=1`).join('&')}`),
  },
  {
    name: 'sms From',
    largest: HOOK_BYTES / 3,
    read: (text) => readForm(formOf({ ...SMS, From: text, Body: 'x' })),
  },
  {
    name: 'sms status',
    largest: HOOK_BYTES / 3,
    read: (text) => readForm(formOf({ ...SMS, MessageStatus: text, ErrorCode: text.slice(0, 1_000) })),
  },
];

const sandbox = cases(
  'sandbox',
  (payload) =>
    decodeSandbox({
      dedupeKey: 'k',
      lane: 'l',
      payload,
      context: { received_at: '2026-03-01T10:00:05.000Z' },
    }),
  { text: (text) => ({ type: 'message', address: 'a', external_message_id: '1', attachments: [], text }) },
);

export const inboundCases: readonly InboundCase[] = [
  ...textCases,
  ...slackCases,
  ...telegram,
  ...discord,
  ...sms,
  ...sandbox,
];
