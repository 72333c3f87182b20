import type { Message, Update } from 'grammy/types';
import { describe, expect, it } from 'vitest';
import { decode } from '../../../../../adapters/telegram/inbound/decode.js';
import { AT, ada, bot, DATE, decoded, envelope, inGroup, supergroup } from '../fixtures.js';

const file = { file_id: 'f1', file_unique_id: 'u1' };
const said = (content: object) => {
  const [event] = decoded({ message: inGroup(content as Partial<Message>) });
  return event?.type === 'message' ? event.content : event;
};

describe('a message without text is described in words', () => {
  it.each([
    [
      'a poll',
      { poll: { question: 'Lunch?', options: [{ text: 'Soup' }, { text: 'Salad' }] } },
      'Lunch?\n• Soup\n• Salad',
    ],
    ['a throw of dice', { dice: { emoji: '🎲', value: 5 } }, '🎲 5'],
    ['a checklist', { checklist: { title: 'Buy', tasks: [{ id: 1, text: 'Milk' }] } }, 'Buy\n• Milk'],
    ['a game', { game: { title: 'Chess', description: 'With clocks' } }, 'Chess\nWith clocks'],
    ['an invoice', { invoice: { title: 'Tea', description: '' } }, 'Tea'],
  ])('%s', (_, content, text) => {
    expect(said(content)).toEqual({ text, spans: [], attachments: [] });
  });
});

describe('received files', () => {
  it.each([
    ['a voice message', { voice: { ...file, duration: 3 } }, 'audio', 'audio/ogg', 3000],
    ['a song', { audio: { ...file, duration: 200, mime_type: 'audio/mp4' } }, 'audio', 'audio/mp4', 200_000],
    ['a round video', { video_note: { ...file, length: 240, duration: 9 } }, 'video', 'video/mp4', 9000],
    ['a film', { video: { ...file, width: 1, height: 1, duration: 0 } }, 'video', 'video/mp4', 0],
  ])('of kind %s keep their type and duration', (_, content, type, mimeType, durationMs) => {
    expect(said(content)).toMatchObject({ attachments: [{ type, mimeType, durationMs, remoteRef: 'f1' }] });
  });

  it.each([
    ['and as a photo', { photo: [{ file_id: 'p1' }], live_photo: { ...file, duration: 2 } }],
    ['alone', { live_photo: { ...file, duration: 2, photo: [{ file_id: 'p0' }, { file_id: 'p1' }] } }],
  ])('that are live photos, received %s, become the picture', (_, content) => {
    const attachments = [{ type: 'image', remoteRef: 'p1', mimeType: 'image/jpeg' }];
    expect(said({ ...content, caption: 'Sea' })).toEqual({ text: 'Sea', spans: [], attachments });
  });

  it('that are live photos without a picture become the film', () => {
    expect(said({ live_photo: { ...file, duration: 2 } })).toMatchObject({
      attachments: [{ type: 'video', remoteRef: 'f1', durationMs: 2000 }],
    });
  });

  it('of an album become separate messages, the first with the caption', () => {
    const photo = [{ ...file, width: 1, height: 1 }];
    const events = ['Trip', undefined].flatMap((caption, index) =>
      decoded({
        message: {
          ...inGroup({ media_group_id: 'g', photo, ...(caption === undefined ? {} : { caption }) }),
          message_id: 50 + index,
        },
      }),
    );
    expect(events).toMatchObject([
      { messageId: '50', content: { text: 'Trip', attachments: [{ type: 'image' }] } },
      { messageId: '51', content: { text: '', attachments: [{ type: 'image' }] } },
    ]);
  });

  it('that are stickers carry their emoji', () => {
    expect(said({ sticker: { ...file, emoji: '👍', is_animated: true } })).toMatchObject({
      attachments: [{ type: 'sticker', altText: '👍', mimeType: 'application/x-tgsticker' }],
    });
  });
});

it('a venue becomes a location with name and address, a contact becomes a contact card', () => {
  const location = { latitude: 48.2, longitude: 16.4 };
  expect(said({ location, venue: { location, title: 'Café', address: 'Ring 1' } })).toMatchObject({
    attachments: [{ type: 'location', ...location, name: 'Café', metadata: { address: 'Ring 1' } }],
  });
  expect(
    said({ contact: { phone_number: '+431', first_name: 'Bo', last_name: 'Li', vcard: 'BEGIN:VCARD' } }),
  ).toMatchObject({ attachments: [{ type: 'contact', metadata: { name: 'Bo Li', phone: '+431' } }] });
});

describe('a command', () => {
  const command = (text: string, ...lengths: [offset: number, length: number, type?: string][]) => {
    const entities = lengths.map(([offset, length, type = 'bot_command']) => ({ type, offset, length }));
    const { payload, ...rest } = envelope({
      message: inGroup({ text, entities: entities as NonNullable<Message['entities']> }),
    });
    const [event] = decode({ ...rest, payload, context: { ...rest.context, bot_handle: 'bridge_bot' } });
    return event?.type === 'message' ? event.content : event;
  };

  it('in a group loses the handle of the bot that it names', () => {
    expect(command('/Help@Bridge_Bot me', [0, 16])).toMatchObject({ text: '/Help me' });
  });

  it('keeps the styles of the text after it', () => {
    expect(command('/say@bridge_bot loud', [0, 15], [16, 4, 'bold'])).toMatchObject({
      text: '/say loud',
      spans: [{ mark: 'bold', start: 5, end: 9 }],
    });
  });

  it('for another bot is unchanged, and so is a mention', () => {
    expect(command('/help@other_bot', [0, 15])).toMatchObject({ text: '/help@other_bot' });
    expect(command('@bridge_bot hi', [0, 11, 'mention'])).toMatchObject({ text: '@bridge_bot hi' });
  });

  it('is unchanged while the handle of the bot is unknown', () => {
    expect(said({ text: '/help@bridge_bot' })).toMatchObject({ text: '/help@bridge_bot' });
  });
});

describe('a pressed button', () => {
  const query = (more: object = {}, context: object = {}) => {
    const message = {
      message_id: 40,
      from: bot,
      chat: supergroup,
      date: DATE,
      text: 'Choose',
      reply_markup: { inline_keyboard: [[{ text: 'Yes!', callback_data: 'y' }]] },
    };
    const one = envelope({
      callback_query: { id: '77', from: ada, chat_instance: 'i', data: 'y', message, ...more },
    } as Omit<Update, 'update_id'>);
    return decode({ ...one, context: { ...one.context, ...context } });
  };

  it('becomes a message with its label, in reply to its message', () => {
    expect(query({}, { received_at: '2026-02-01T00:00:00.000Z' })).toEqual([
      {
        type: 'message',
        chat: { id: '-1001000000001', kind: 'group', title: 'Operations room' },
        at: '2026-02-01T00:00:00.000Z',
        messageId: 'callback-77',
        sender: { id: '700001', displayName: 'Ada Lovelace', handle: 'ada', locale: 'en' },
        content: { text: 'Yes!', spans: [], attachments: [] },
        press: 'y',
        replyToId: '40',
      },
    ]);
  });

  it('without a known label becomes its data, at the time of its message', () => {
    expect(query({ data: 'other' })).toMatchObject([{ at: AT, content: { text: 'other' } }]);
  });

  it.each([
    ['callback_query.empty', { data: undefined }],
    ['callback_query.without_message', { message: undefined }],
  ])('without label and data is unsupported (%s)', (what, more) => {
    expect(query(more)).toEqual([{ type: 'unsupported', what }]);
  });
});

it.each([['forum_topic_created'], ['forum_topic_edited']])('a forum topic gets its title (%s)', (kind) => {
  const topic = { message_thread_id: 9, is_topic_message: true, [kind]: { name: 'Food', icon_color: 1 } };
  expect(decoded({ message: inGroup(topic as Partial<Message>) })).toMatchObject([
    { type: 'chat_renamed', chat: { id: '-1001000000001', threadId: '9' }, title: 'Food' },
  ]);
});
