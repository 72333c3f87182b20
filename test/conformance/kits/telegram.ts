import { telegramDefinition } from '../../../adapters/telegram/definition.js';
import { spansOf } from '../../../adapters/telegram/formatting.js';
import { envelopeOf } from '../../../adapters/telegram/ingress/envelope.js';
import { textPayload } from '../../../adapters/telegram/outbound/step-payloads.js';
import { TelegramSimulator } from '../../../adapters/telegram/simulator/index.js';
import { BASIC_GROUP } from '../../../adapters/telegram/simulator/state.js';
import type { Envelope, PartStep } from '../../../src/contract/index.js';
import { type ConformanceKit, defineKit } from '../../../src/testing/index.js';
import { builtModule } from './built-module.js';

const BOT = { id: '7000000001', handle: 'simulated_trunkline_bot' };
const ada = { id: 700001, is_bot: false, first_name: 'Ada', last_name: 'Lovelace', username: 'ada' };
const group = { id: -1001000000001, type: 'supergroup', title: 'Operations room' };
const direct = { id: 700001, type: 'private', first_name: 'Ada' };
const base = { message_id: 41, from: ada, chat: group, date: 1767225600 };

/** Updates in the shapes of https://core.telegram.org/bots/api#update. */
const updates: readonly object[] = [
  { message: { ...base, text: 'Hello' } },
  {
    message: {
      ...base,
      message_id: 42,
      chat: direct,
      text: 'Hello',
      entities: [{ type: 'bold', offset: 0, length: 5 }],
    },
  },
  { message: { ...base, message_id: 43, text: 'Answer', reply_to_message: { ...base, text: 'Hello' } } },
  {
    message: {
      ...base,
      message_id: 44,
      caption: 'A photo',
      photo: [{ file_id: 'f1', file_unique_id: 'u1', width: 90, height: 90, file_size: 10 }],
    },
  },
  {
    message: {
      ...base,
      message_id: 45,
      document: {
        file_id: 'f2',
        file_unique_id: 'u2',
        file_name: 'a.pdf',
        mime_type: 'application/pdf',
        file_size: 10,
      },
    },
  },
  { message: { ...base, message_id: 46, location: { latitude: 52.5, longitude: 13.4 } } },
  { message: { ...base, message_id: 47, contact: { phone_number: '+4930123', first_name: 'Bob' } } },
  { message: { ...base, message_id: 48, new_chat_members: [ada] } },
  {
    message: {
      ...base,
      message_id: 49,
      chat: { id: -500001, type: 'group', title: 'Small' },
      migrate_to_chat_id: -1002000000001,
    },
  },
  { edited_message: { ...base, edit_date: 1767225700, text: 'Hello again' } },
  {
    message_reaction: {
      chat: group,
      message_id: 41,
      user: ada,
      date: 1767225701,
      old_reaction: [],
      new_reaction: [{ type: 'emoji', emoji: '👍' }],
    },
  },
  {
    my_chat_member: {
      chat: direct,
      from: ada,
      date: 1767225702,
      old_chat_member: { status: 'member', user: ada },
      new_chat_member: { status: 'kicked', user: ada, until_date: 0 },
    },
  },
  { callback_query: { id: '1', from: ada, chat_instance: '1', data: 'x' } },
];

const corpus = updates.map(
  (update, place) => envelopeOf({ update_id: 900_000_001 + place, ...update }, BOT) as Envelope,
);

function read({ kind, payload }: PartStep) {
  if (kind !== 'text' || payload.text === undefined) return undefined;
  const { text, entities } = textPayload.parse(payload);
  return {
    counted: text,
    content: { text, spans: spansOf(text, entities as Parameters<typeof spansOf>[1]) },
  };
}

const kit = (ingress: 'poll' | 'webhook'): ConformanceKit =>
  defineKit({
    name: `telegram, ${ingress}`,
    definition: telegramDefinition,
    module: builtModule('adapters/telegram/definition.js', 'telegramDefinition'),
    simulator: () => new TelegramSimulator({ limits: 'none' }),
    account: async (simulator) => {
      const { credentials, settings } = await simulator.account();
      return { credentials, settings: { ...settings, ingress } };
    },
    // A chat whose id can change.
    chat: () => String(BASIC_GROUP),
    read,
    corpus,
    pinned: [
      {
        envelope: corpus[7] as Envelope,
        chatId: '-1001000000001',
        reads: { type: 'membership', change: 'joined', user: { id: '700001' } },
      },
      { envelope: corpus[0] as Envelope, chatId: '-1001000000001', messageId: '41', userId: '700001' },
      {
        envelope: corpus[1] as Envelope,
        chatId: '700001',
        messageId: '42',
        userId: '700001',
        reads: { content: { spans: [{ mark: 'bold' }] } },
      },
      {
        envelope: corpus[3] as Envelope,
        chatId: '-1001000000001',
        messageId: '44',
        reads: { content: { attachments: [{ type: 'image' }] } },
      },
    ],
    signature: { header: 'x-telegram-bot-api-secret-token', coversBody: false },
    groupMentions: [],
  });

export const telegramKits = [kit('poll'), kit('webhook')];
