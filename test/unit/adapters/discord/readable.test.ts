import { describe, expect, it } from 'vitest';
import { decode } from '../../../../adapters/discord/inbound.js';
import type { JsonValue } from '../../../../src/contract/index.js';

const author = { id: '5', username: 'ada', global_name: 'Ada' };
const place = { channel_id: '10', guild_id: '20' };
const message = { id: '30', type: 0, content: '', author, ...place, timestamp: '2026-03-01T10:00:00Z' };
const read = (t: string, d: object, context: Record<string, string> = {}) =>
  decode({
    dedupeKey: 'k',
    lane: 'l',
    payload: { t, d: d as JsonValue },
    context: { self: '7', ...context },
  });
const said = (changes: object) => {
  const [event] = read('MESSAGE_CREATE', { ...message, ...changes });
  return event?.type === 'message' ? event.content : event;
};

describe('a message without words', () => {
  it('that is a poll is its question and answers', () => {
    const answers = [
      { answer_id: 1, poll_media: { text: 'Yes', emoji: { id: null, name: '👍' } } },
      { answer_id: 2, poll_media: { text: 'No' } },
    ];
    expect(said({ poll: { question: { text: 'Shall we?' }, answers } })).toMatchObject({
      text: '📊 Shall we?\n• 👍 Yes\n• No',
    });
  });

  it('that is an embed is what the embed says, and beside a text embeds say nothing', () => {
    const embeds = [
      {
        author: { name: 'CI' },
        title: 'Build 7',
        url: 'https://ci.example/7',
        description: 'It *failed*.',
        fields: [{ name: 'Branch', value: 'main' }],
        footer: { text: 'just now' },
      },
    ];
    expect(said({ embeds })).toMatchObject({
      text: 'CI\nBuild 7\nIt failed.\nBranch\nmain\njust now',
      spans: expect.arrayContaining([
        { mark: 'link', start: 3, end: 10, value: 'https://ci.example/7' },
        { mark: 'italic', start: 14, end: 20 },
      ]),
    });
    expect(said({ content: 'see https://ci.example/7', embeds })).toMatchObject({
      text: 'see https://ci.example/7',
    });
  });

  it('that is a voice message is a sound of its length', () => {
    const attachments = [
      { id: '8', filename: 'voice-message.ogg', content_type: 'audio/ogg', size: 9, duration_secs: 3.25 },
    ];
    expect(said({ flags: 8192, attachments })).toMatchObject({
      attachments: [{ type: 'audio', durationMs: 3250, remoteRef: '10/30/8' }],
    });
  });

  it('that is a sticker is a file of the kind that the sticker has', () => {
    const sticker = (format_type: number) =>
      said({ sticker_items: [{ id: '99', name: 'Wave', format_type }] });
    expect(sticker(1)).toMatchObject({
      attachments: [{ remoteRef: 'sticker/99.png', mimeType: 'image/png' }],
    });
    expect(sticker(4)).toMatchObject({
      attachments: [{ remoteRef: 'sticker/99.gif', mimeType: 'image/gif' }],
    });
    expect(sticker(3)).toMatchObject({ attachments: [{ remoteRef: 'sticker/99.json' }] });
  });

  it('that is forwarded brings the files of the original', () => {
    const attachments = [{ id: '8', filename: 'a.png', content_type: 'image/png', size: 9 }];
    const message_snapshots = [{ message: { content: 'as I said', attachments } }];
    expect(said({ message_reference: { type: 1, message_id: '1' }, message_snapshots })).toMatchObject({
      text: 'as I said',
      attachments: [{ type: 'image', remoteRef: '10/30/8' }],
    });
  });

  it('that Discord itself wrote is unsupported', () => {
    for (const type of [1, 6, 7, 18, 21, 46])
      expect(said({ type, content: 'x' })).toEqual({ type: 'unsupported', what: `message type ${type}` });
  });
});

describe('what somebody does with the bot', () => {
  const interaction = (type: number, data: object, more: object = {}) => {
    const d = { id: '40', type, ...place, member: { nick: 'Countess', user: author }, data, ...more };
    const [event] = read('INTERACTION_CREATE', d);
    return event?.type === 'message' ? event.content.text : event;
  };
  const row = (...components: object[]) => ({ message: { id: '30', components: [{ type: 1, components }] } });

  it('is a command with its subcommands and options', () => {
    const options = [{ name: 'add', type: 1, options: [{ name: 'item', type: 3, value: 'milk' }] }];
    expect(interaction(2, { name: 'list', type: 1, options })).toBe('/list add item: milk');
    expect(interaction(2, { name: 'Translate', type: 3 })).toBe('Translate');
  });

  it('is the label of a button, its emoji, or at worst its id', () => {
    expect(interaction(3, { custom_id: 'a' }, row({ type: 2, custom_id: 'a', label: 'Yes' }))).toBe('Yes');
    expect(interaction(3, { custom_id: 'a' }, row({ type: 2, custom_id: 'a', emoji: { name: '👍' } }))).toBe(
      '👍',
    );
    expect(interaction(3, { custom_id: 'a' })).toBe('a');
  });

  it('is what was chosen from a list, and what was written in a form', () => {
    const select = { type: 3, custom_id: 'a', options: [{ label: 'Large', value: 'l' }] };
    expect(interaction(3, { custom_id: 'a', values: ['l', 'x'] }, row(select))).toBe('Large, x');
    const components = [{ type: 18, component: { type: 4, custom_id: 'b', value: 'my words' } }];
    expect(interaction(5, { custom_id: 'form', components })).toBe('my words');
  });

  it('is nothing while somebody still types a command', () => {
    expect(interaction(4, { name: 'ask', type: 1 })).toMatchObject({ type: 'unsupported' });
  });
});

describe('where things happen', () => {
  it('a thread is a place in its channel, in every event', () => {
    const context = { thread_of: '9', chat_title: 'general' };
    const chat = { id: '9', threadId: '10', kind: 'group', title: 'general' };
    expect(read('MESSAGE_CREATE', { ...message, content: 'x' }, context)).toMatchObject([{ chat }]);
    expect(read('MESSAGE_DELETE', { id: '30', ...place }, context)).toMatchObject([{ chat }]);
    expect(read('TYPING_START', { user_id: '5', ...place }, context)).toMatchObject([{ chat }]);
    expect(read('THREAD_DELETE', { id: '10', guild_id: '20' }, context)).toMatchObject([{ chat }]);
  });

  it('the bot’s own typing and joining are its own', () => {
    expect(read('TYPING_START', { user_id: '7', ...place })).toMatchObject([{ echo: true }]);
    const member = { user: { id: '7', username: 'bot' }, guild_id: '20' };
    expect(read('GUILD_MEMBER_ADD', member, { channels: '10,11' })).toMatchObject([
      { self: true, chat: { id: '10' } },
      { self: true, chat: { id: '11' } },
    ]);
  });
});
