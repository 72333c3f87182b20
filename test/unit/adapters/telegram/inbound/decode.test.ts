import type { Message } from 'grammy/types';
import { describe, expect, it } from 'vitest';
import { AT, ada, bot, channel, DATE, decoded, inGroup, privateChat, supergroup } from '../fixtures.js';

const group = { id: '-1001000000001', kind: 'group', title: 'Operations room' };
const sender = { id: '700001', displayName: 'Ada Lovelace', handle: 'ada', locale: 'en' };

describe('decoding Telegram messages', () => {
  it('decodes a text message of a group', () => {
    expect(decoded({ message: inGroup({ text: 'Hello' }) })).toEqual([
      {
        type: 'message',
        chat: group,
        at: AT,
        messageId: '41',
        sender,
        content: { text: 'Hello', spans: [], attachments: [] },
      },
    ]);
  });

  it('decodes a private chat as direct and /stop in it as normal text', () => {
    const [event] = decoded({
      message: {
        message_id: 5,
        from: ada,
        chat: privateChat,
        date: DATE,
        text: '/stop',
        entities: [{ type: 'bot_command', offset: 0, length: 5 }],
      },
    });
    expect(event).toMatchObject({
      type: 'message',
      chat: { id: '700001', kind: 'direct', title: 'Ada Lovelace' },
      content: { text: '/stop', spans: [] },
    });
  });

  it('names the message replied to', () => {
    const reply_to_message = {
      ...inGroup({ text: 'Question' }),
      message_id: 40,
      reply_to_message: undefined,
    };
    expect(decoded({ message: inGroup({ text: 'Answer', reply_to_message }) })).toMatchObject([
      { replyToId: '40' },
    ]);
  });

  it('puts a topic into threadId and does not treat the opening message of the topic as a reply', () => {
    const opening = {
      ...inGroup({ forum_topic_created: { name: 'Billing', icon_color: 7322096 } }),
      message_id: 2,
      reply_to_message: undefined,
    };
    const [event] = decoded({
      message: inGroup({
        text: 'In the topic',
        message_thread_id: 2,
        is_topic_message: true,
        reply_to_message: opening,
      }),
    });
    expect(event).toMatchObject({ type: 'message', chat: { threadId: '2' } });
    expect(event).not.toHaveProperty('replyToId');
  });

  it('has no thread for the reply thread of an ordinary group', () => {
    const [event] = decoded({ message: inGroup({ text: 'Reply', message_thread_id: 17 }) });
    expect(event).not.toHaveProperty('chat.threadId');
  });

  it('marks messages of the bot itself as echo', () => {
    expect(decoded({ message: { ...inGroup({ text: 'Mine' }), from: bot } })).toMatchObject([{ echo: true }]);
    expect(decoded({ message: inGroup({ text: 'Hers' }) })[0]).not.toHaveProperty('echo');
  });

  it('names channels and anonymous administrators by the chat they write as', () => {
    expect(
      decoded({
        channel_post: { message_id: 9, chat: channel, sender_chat: channel, date: DATE, text: 'News' },
      }),
    ).toMatchObject([{ chat: { kind: 'channel' }, sender: { id: '-1001000000009', displayName: 'News' } }]);
    const anonymous = { id: 1087968824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' };
    expect(
      decoded({ message: { ...inGroup({ text: 'Hm', sender_chat: supergroup }), from: anonymous } }),
    ).toMatchObject([{ sender: { id: '-1001000000001', displayName: 'Operations room' } }]);
  });

  it('decodes an edit with the time of the edit', () => {
    expect(
      decoded({ edited_message: { ...inGroup({ text: 'Better' }), edit_date: DATE + 60 } }),
    ).toMatchObject([
      {
        type: 'message_edited',
        messageId: '41',
        at: '2026-01-01T00:01:00.000Z',
        content: { text: 'Better' },
      },
    ]);
    expect(
      decoded({
        edited_channel_post: { message_id: 9, chat: channel, date: DATE, edit_date: DATE, text: 'Fixed' },
      }),
    ).toMatchObject([{ type: 'message_edited', messageId: '9', chat: { kind: 'channel' } }]);
  });

  it('keeps the text of rich messages', () => {
    const rich_message: NonNullable<Message['rich_message']> = {
      blocks: [
        { type: 'heading', text: 'Title', size: 1 },
        { type: 'paragraph', text: ['Plain ', { type: 'bold', text: 'bold' }] },
        { type: 'list', items: [{ label: '1.', blocks: [{ type: 'paragraph', text: 'One' }] }] },
      ],
    };
    expect(decoded({ message: inGroup({ rich_message }) })).toMatchObject([
      { type: 'message', content: { text: 'Title\nPlain bold\n1.\nOne' } },
    ]);
  });
});

describe('decoding Telegram attachments', () => {
  const file = { file_id: 'F1', file_unique_id: 'U1' };
  const size = { width: 100, height: 100 };
  const cases: [string, Partial<Message>, object][] = [
    [
      'the largest size of a photo',
      {
        caption: 'Look',
        photo: [
          { ...file, ...size, file_id: 'small' },
          { ...file, ...size, file_id: 'large', file_size: 2000 },
        ],
      },
      { type: 'image', remoteRef: 'large', mimeType: 'image/jpeg', sizeBytes: 2000 },
    ],
    [
      'a document',
      {
        caption: 'Look',
        document: { ...file, file_name: 'a.pdf', mime_type: 'application/pdf', file_size: 10 },
      },
      { type: 'file', remoteRef: 'F1', name: 'a.pdf', mimeType: 'application/pdf', sizeBytes: 10 },
    ],
    [
      'an animation once, though it comes as document too',
      { caption: 'Look', animation: { ...file, ...size, duration: 1 }, document: file },
      { type: 'video', remoteRef: 'F1', mimeType: 'video/mp4' },
    ],
    [
      'a voice message',
      { caption: 'Look', voice: { ...file, duration: 3, mime_type: 'audio/ogg' } },
      { type: 'audio', remoteRef: 'F1', mimeType: 'audio/ogg' },
    ],
  ];
  it.each(cases)('lists %s in addition to the caption', (_name, content, attachment) => {
    expect(decoded({ message: inGroup(content) })).toMatchObject([
      { type: 'message', content: { text: 'Look', attachments: [attachment] } },
    ]);
  });

  it('keeps stickers, locations and contact cards without text', () => {
    const sticker: Message['sticker'] = {
      ...file,
      ...size,
      type: 'regular',
      is_animated: false,
      is_video: false,
      emoji: '👍',
    };
    expect(decoded({ message: inGroup({ sticker }) })).toMatchObject([
      { content: { text: '', attachments: [{ type: 'sticker', altText: '👍', mimeType: 'image/webp' }] } },
    ]);
    expect(decoded({ message: inGroup({ location: { latitude: 48.2, longitude: 16.4 } }) })).toMatchObject([
      { content: { attachments: [{ type: 'location', latitude: 48.2, longitude: 16.4 }] } },
    ]);
    expect(
      decoded({ message: inGroup({ contact: { phone_number: '+431', first_name: 'Bo' } }) }),
    ).toMatchObject([
      { content: { attachments: [{ type: 'contact', metadata: { name: 'Bo', phone: '+431' } }] } },
    ]);
  });
});

describe('a live location on Telegram', () => {
  const location = {
    latitude: 48.2,
    longitude: 16.4,
    live_period: 900,
    horizontal_accuracy: 12,
    heading: 90,
  };
  const place = { type: 'location', latitude: 48.2, longitude: 16.4, accuracy: 12, heading: 90 };

  it('becomes a message with a location and a position of its sender', () => {
    expect(decoded({ message: inGroup({ location }) })).toMatchObject([
      { type: 'message', content: { attachments: [{ type: 'location' }] } },
      { ...place, at: AT, sender: { id: '700001' } },
    ]);
  });

  it('moves without an edit event', () => {
    const edited = { ...inGroup({ location }), edit_date: DATE + 60 };
    expect(decoded({ edited_message: edited } as never)).toMatchObject([
      { ...place, at: '2026-01-01T00:01:00.000Z' },
    ]);
  });
});
