import type { Message, MessageOrigin } from 'grammy/types';
import { describe, expect, it } from 'vitest';
import { ada, channel, DATE, decoded, inGroup, supergroup } from '../fixtures.js';

const said = (content: object) => {
  const [event] = decoded({ message: inGroup(content as Partial<Message>) });
  return event?.type === 'message' ? event.content : event;
};
const quoteOf = (start: number, end: number) => ({ mark: 'quote', start, end });

const bob = { id: 700002, is_bot: false, first_name: 'Bob', last_name: 'Roe', username: 'bob' };
const news = { ...channel, username: 'daily_news' };

describe('a forwarded Telegram message', () => {
  const origins: [string, MessageOrigin, string][] = [
    ['a person', { type: 'user', date: DATE, sender_user: bob }, 'Bob Roe'],
    [
      'a person who hides their account',
      { type: 'hidden_user', date: DATE, sender_user_name: 'Bob R.' },
      'Bob R.',
    ],
    ['a group', { type: 'chat', date: DATE, sender_chat: supergroup }, 'Operations room'],
    [
      'an anonymous administrator with a signature',
      { type: 'chat', date: DATE, sender_chat: supergroup, author_signature: 'the chair' },
      'Operations room (the chair)',
    ],
    ['a channel', { type: 'channel', date: DATE, chat: channel, message_id: 7 }, 'News'],
    [
      'a signed post of a channel',
      { type: 'channel', date: DATE, chat: channel, message_id: 7, author_signature: 'Jo' },
      'News (Jo)',
    ],
  ];
  it.each(origins)('of %s becomes one quote that begins with the name', (_, forward_origin, name) => {
    const text = `${name}: Pay 500 to account 1`;
    expect(said({ text: 'Pay 500 to account 1', forward_origin })).toEqual({
      text,
      spans: [quoteOf(0, text.length)],
      attachments: [],
    });
  });

  const forward_origin: MessageOrigin = { type: 'user', date: DATE, sender_user: bob };

  it('keeps its formatting, and a quote in it becomes part of the quote', () => {
    const entities = [
      { type: 'blockquote', offset: 0, length: 3 },
      { type: 'bold', offset: 4, length: 3 },
    ];
    expect(said({ text: 'Old new', entities, forward_origin })).toEqual({
      text: 'Bob Roe: Old new',
      spans: [quoteOf(0, 16), { mark: 'bold', start: 13, end: 16 }],
      attachments: [],
    });
  });

  it('with a file has the name of its author above it, with or without a caption', () => {
    const photo = [{ file_id: 'f', file_unique_id: 'u', width: 1, height: 1 }];
    expect(said({ photo, caption: 'Receipt', forward_origin })).toMatchObject({
      text: 'Bob Roe: Receipt',
      spans: [quoteOf(0, 16)],
      attachments: [{ type: 'image' }],
    });
    expect(said({ photo, forward_origin })).toMatchObject({
      text: 'Bob Roe:',
      spans: [quoteOf(0, 8)],
      attachments: [{ type: 'image' }],
    });
  });

  it('with a poll or a story becomes a quote too', () => {
    const poll = { question: 'Lunch?', options: [{ text: 'Soup' }] };
    expect(said({ poll, forward_origin })).toMatchObject({ text: 'Bob Roe: Lunch?\n• Soup' });
  });

  it('remains a quote after an edit', () => {
    const edited = { ...inGroup({ text: 'New', forward_origin }), edit_date: DATE + 1 };
    expect(decoded({ edited_message: edited } as never)).toMatchObject([
      { type: 'message_edited', content: { text: 'Bob Roe: New', spans: [quoteOf(0, 12)] } },
    ]);
  });

  it('does not count as a command or keyword of the person who forwards it', () => {
    expect(said({ text: 'STOP', forward_origin })).toMatchObject({ text: 'Bob Roe: STOP' });
  });

  it('is not a quote if Telegram copies a channel post to the discussion group', () => {
    const origin = { type: 'channel', date: DATE, chat: channel, message_id: 7 };
    const message = inGroup({ text: 'Post', is_automatic_forward: true, sender_chat: channel } as never);
    expect(decoded({ message: { ...message, forward_origin: origin as MessageOrigin } })).toMatchObject([
      { content: { text: 'Post', spans: [] }, copyOf: { chatId: '-1001000000009', messageId: '7' } },
    ]);
  });

  it('with a malformed origin keeps its text', () => {
    expect(said({ text: 'Words', forward_origin: { type: 'user' } })).toMatchObject({ text: 'Words' });
  });
});

describe('a Telegram reply', () => {
  const origin: MessageOrigin = { type: 'user', date: DATE, sender_user: bob };

  it('to a message of another chat has the quote above its text', () => {
    const quote = { text: 'the old price', position: 4, entities: [{ type: 'bold', offset: 4, length: 3 }] };
    const entities = [{ type: 'italic', offset: 0, length: 3 }];
    expect(said({ text: 'Not any more', entities, quote, external_reply: { origin } })).toEqual({
      text: 'Bob Roe: the old price\nNot any more',
      spans: [quoteOf(0, 22), { mark: 'bold', start: 13, end: 16 }, { mark: 'italic', start: 23, end: 26 }],
      attachments: [],
    });
  });

  const photo = [{ file_id: 'f', file_unique_id: 'u', width: 1, height: 1 }];
  it.each([
    ['a photo', { photo }, '[photo]'],
    ['a live photo', { photo, live_photo: {} }, '[live photo]'],
    ['a round video', { video_note: {} }, '[video note]'],
    ['a poll', { poll: { question: 'Lunch?', options: [] } }, 'Lunch?'],
    ['a text', {}, '[message]'],
  ])('to %s of another chat names it', (_, shown, words) => {
    expect(said({ text: 'Yes', external_reply: { origin, ...shown } })).toMatchObject({
      text: `Bob Roe: ${words}\nYes`,
      spans: [quoteOf(0, 9 + words.length)],
    });
  });

  it('to a message of a public chat links to it', () => {
    const external_reply = {
      origin: { type: 'channel', date: DATE, chat: news, message_id: 7 },
      chat: news,
      message_id: 7,
    };
    expect(said({ text: 'Yes', external_reply })).toMatchObject({
      text: 'News: [message]\nYes',
      spans: [quoteOf(0, 15), { mark: 'link', start: 6, end: 15, value: 'https://t.me/daily_news/7' }],
    });
  });

  it('in the same chat keeps the quoted part', () => {
    const reply_to_message = { ...inGroup({ text: 'One. Two. Three.' }), message_id: 40 };
    const quote = { text: 'Two.', position: 5, is_manual: true };
    const message = inGroup({ text: 'This one', reply_to_message, quote } as never);
    expect(decoded({ message })).toMatchObject([
      { replyToId: '40', content: { text: 'Two.\nThis one', spans: [quoteOf(0, 4)] } },
    ]);
  });

  it('to a story names its author, with a link if the chat is public', () => {
    expect(
      said({ text: 'Nice', reply_to_story: { chat: { ...ada, type: 'private' }, id: 3 } }),
    ).toMatchObject({
      text: 'Ada Lovelace: [story]\nNice',
      spans: [quoteOf(0, 21), { mark: 'link', start: 14, end: 21, value: 'https://t.me/ada/s/3' }],
    });
  });

  it('with only a file has the quote as its text', () => {
    expect(said({ photo, quote: { text: 'Show me', position: 0 } })).toMatchObject({
      text: 'Show me',
      spans: [quoteOf(0, 7)],
      attachments: [{ type: 'image' }],
    });
  });
});

describe('content that bots cannot open is named together with its caption', () => {
  const user = { id: 1, is_bot: false, first_name: 'Cy' };
  it.each([
    [
      'a story of a private account',
      { story: { chat: { id: 5, type: 'private', first_name: 'Cy' }, id: 3 } },
      '[story]',
    ],
    [
      'a paid photo',
      { paid_media: { star_count: 5, paid_media: [{ type: 'photo', photo: [] }] } },
      '[paid photo]',
    ],
    [
      'paid media with a caption',
      { paid_media: { star_count: 5, paid_media: [{ type: 'preview' }, { type: 'video' }] }, caption: 'Buy' },
      '[paid media] [paid video]\nBuy',
    ],
    [
      'a giveaway',
      { giveaway: { chats: [], winner_count: 2, prize_description: 'Books' } },
      '[giveaway]\nBooks',
    ],
    [
      'winners of a giveaway',
      { giveaway_winners: { winners: [user, { ...user, first_name: 'Di' }] } },
      '[giveaway winners]\nCy, Di',
    ],
    ['a gift', { gift: { gift: { id: 'g' }, text: 'For you' } }, '[gift]\nFor you'],
    ['a gift without words', { gift: { gift: { id: 'g' } } }, '[gift]'],
    ['the upgrade of a gift', { gift_upgrade_sent: { gift: { id: 'g' } } }, '[gift]'],
    [
      'a unique gift',
      { unique_gift: { gift: { base_name: 'Cake', number: 9 }, origin: 'transfer' } },
      '[gift: Cake #9]',
    ],
    ['a person chosen for a bot', { users_shared: { users: [{ user_id: 1, first_name: 'Cy' }] } }, 'Cy'],
    ['a chat chosen for a bot', { chat_shared: { chat_id: 1 } }, '[shared chat]'],
    ['data of a web app', { web_app_data: { data: '{}', button_text: 'Order' } }, 'Order'],
  ])('%s', (_, content, text) => {
    expect(said(content)).toMatchObject({ text, attachments: [] });
  });

  it('a story of a public chat becomes a link', () => {
    expect(said({ story: { chat: news, id: 3 } })).toEqual({
      text: '[story]',
      spans: [{ mark: 'link', start: 0, end: 7, value: 'https://t.me/daily_news/s/3' }],
      attachments: [],
    });
  });

  it('a caption of paid media keeps its formatting', () => {
    const caption_entities = [{ type: 'bold', offset: 0, length: 3 }];
    const paid_media = { star_count: 5, paid_media: [{ type: 'photo' }] };
    expect(said({ paid_media, caption: 'Buy', caption_entities })).toMatchObject({
      spans: [{ mark: 'bold', start: 13, end: 16 }],
    });
  });
});

describe('a Telegram checklist', () => {
  const tasks = [
    { id: 1, text: 'Milk', completed_by_user: ada, completion_date: DATE },
    { id: 2, text: 'Bread', text_entities: [{ type: 'bold', offset: 0, length: 5 }] },
  ];
  const checklist_message = { ...inGroup({}), message_id: 30, checklist: { title: 'Buy', tasks } };

  it('shows which tasks are done, with their formatting', () => {
    expect(said({ checklist: { title: 'Buy', tasks } })).toEqual({
      text: 'Buy\n☑ Milk\n• Bread',
      spans: [{ mark: 'bold', start: 13, end: 18 }],
      attachments: [],
    });
  });

  it('reports the names of tasks that a person completes or reopens', () => {
    const done = { checklist_message, marked_as_done_task_ids: [1], marked_as_not_done_task_ids: [2, 3] };
    expect(decoded({ message: inGroup({ checklist_tasks_done: done } as never) })).toMatchObject([
      { type: 'message', replyToId: '30', content: { text: '☑ Milk\n☐ Bread\n☐ [task 3]' } },
    ]);
  });

  it('reports the tasks that a person adds', () => {
    const added = { checklist_message, tasks: [{ id: 3, text: 'Eggs' }] };
    expect(decoded({ message: inGroup({ checklist_tasks_added: added } as never) })).toMatchObject([
      { type: 'message', replyToId: '30', content: { text: '• Eggs' } },
    ]);
  });
});

describe('the direct messages of a Telegram channel', () => {
  const chat = { id: -1001000000055, type: 'supergroup', title: 'News', is_direct_messages: true };
  const topic = (topic_id: number, first_name: string) => ({
    topic_id,
    user: { id: topic_id + 5000, is_bot: false, first_name },
  });
  const written = (direct_messages_topic: object) => ({
    ...inGroup({ text: 'Hello' }),
    chat,
    direct_messages_topic,
  });

  it('form one direct conversation per topic, named after its person', () => {
    const events = [topic(701, 'Cy'), topic(702, 'Di')].flatMap((one) =>
      decoded({ message: written(one) as never }),
    );
    const place = { id: '-1001000000055', kind: 'direct', threadIsChat: true };
    expect(events).toMatchObject([
      { type: 'message', chat: { ...place, threadId: '701', title: 'Cy' } },
      { type: 'message', chat: { ...place, threadId: '702', title: 'Di' } },
    ]);
  });

  it('name the topic in edits and button presses too', () => {
    const message = written(topic(701, 'Cy'));
    expect(decoded({ edited_message: { ...message, edit_date: DATE } as never })).toMatchObject([
      { type: 'message_edited', chat: { threadId: '701', kind: 'direct' } },
    ]);
    const query = { id: '1', from: ada, chat_instance: 'i', data: 'y', message };
    expect(decoded({ callback_query: query as never })).toMatchObject([
      { type: 'message', chat: { threadId: '701', kind: 'direct' } },
    ]);
  });
});
