import { describe, expect, it } from 'vitest';
import { decode } from '../../../../../adapters/discord/inbound/decode.js';
import { mentionsIn } from '../../../../../adapters/discord/inbound/mentions.js';
import type { JsonValue } from '../../../../../src/contract/index.js';

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

describe('a Discord message without text', () => {
  it('with a poll becomes its question and answers', () => {
    const answers = [
      { answer_id: 1, poll_media: { text: 'Yes', emoji: { id: null, name: '👍' } } },
      { answer_id: 2, poll_media: { text: 'No' } },
    ];
    expect(said({ poll: { question: { text: 'Shall we?' }, answers } })).toMatchObject({
      text: '📊 Shall we?\n• 👍 Yes\n• No',
    });
  });

  it('with an embed becomes the text of the embed, and a link preview adds nothing', () => {
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

  it('with a voice message becomes an audio file with its duration', () => {
    const attachments = [
      { id: '8', filename: 'voice-message.ogg', content_type: 'audio/ogg', size: 9, duration_secs: 3.25 },
    ];
    expect(said({ flags: 8192, attachments })).toMatchObject({
      attachments: [{ type: 'audio', durationMs: 3250, remoteRef: '10/30/8' }],
    });
  });

  it("with a sticker becomes a file of the sticker's format", () => {
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

  it('that is forwarded includes the files of the original', () => {
    const attachments = [{ id: '8', filename: 'a.png', content_type: 'image/png', size: 9 }];
    const message_snapshots = [{ message: { content: 'as I said', attachments } }];
    expect(said({ message_reference: { type: 1, message_id: '1' }, message_snapshots })).toMatchObject({
      text: 'as I said',
      attachments: [{ type: 'image', remoteRef: '10/30/8' }],
    });
  });

  it('of Discord itself is unsupported', () => {
    for (const type of [1, 6, 7, 18, 21, 46])
      expect(said({ type, content: 'x' })).toEqual({ type: 'unsupported', what: `message type ${type}` });
  });
});

describe('a Discord message with text and more', () => {
  const poll = { question: { text: 'Shall we?' }, answers: [{ poll_media: { text: 'Yes' } }] };

  it('keeps the poll with its text', () => {
    expect(said({ content: 'Please vote.', poll })).toMatchObject({
      text: 'Please vote.\n📊 Shall we?\n• Yes',
    });
  });

  it('keeps the embeds of an app, but no link previews', () => {
    const bot = { ...author, bot: true };
    const embeds = [
      { type: 'rich', title: 'Build 7', image: { url: 'https://ci.example/graph.png' } },
      { type: 'link', title: 'Preview', url: 'https://ci.example/7' },
      { type: 'rich', title: 'Preview', url: 'https://ci.example/8' },
    ];
    const content = 'Failed: https://ci.example/7 https://ci.example/8';
    expect(said({ author: bot, content, embeds })).toMatchObject({
      text: `${content}\nBuild 7`,
      attachments: [{ type: 'image', remoteRef: '10/30/e0.0' }],
    });
    expect(said({ content, embeds })).toMatchObject({ text: content, attachments: [] });
  });

  it('keeps the small picture of an embed that has no large one', () => {
    const bot = { ...author, bot: true };
    const [large, small] = ['large', 'small'].map((name) => ({ url: `https://ci.example/${name}.png` }));
    const embeds = [
      { type: 'rich', title: 'Build 7', thumbnail: small },
      { type: 'rich', title: 'Build 8', thumbnail: small, image: large },
      { type: 'article', title: 'Preview', url: 'https://ci.example/9', thumbnail: small },
    ];
    expect(said({ author: bot, content: 'Done.', embeds })).toMatchObject({
      text: 'Done.\nBuild 7\nBuild 8',
      attachments: [{ remoteRef: '10/30/e0.0' }, { remoteRef: '10/30/e0.1' }],
    });
  });

  it('keeps the original names of its files', () => {
    const file = (filename: string, title?: string) => ({ id: '8', filename, title, size: 1 });
    const names = (...attachments: object[]) => said({ attachments });
    expect(
      names(
        file('unknown.pdf', 'Rechnung März'),
        file('unknown.pdf', 'Rechnung.PDF'),
        file('a.png'),
        file('README', '読んで'),
        file('a.tar.gz', ' '),
      ),
    ).toMatchObject({
      attachments: [
        { name: 'Rechnung März.pdf' },
        { name: 'Rechnung.PDF' },
        { name: 'a.png' },
        { name: '読んで' },
        { name: 'a.tar.gz' },
      ],
    });
  });
});

describe('a Discord message made of components', () => {
  const bot = { ...author, bot: true };
  const card = (components: object[], more: object = {}) =>
    said({ author: bot, flags: 1 << 15, components, ...more });
  const words = (content: string) => ({ type: 10, content });

  it('becomes their text, links and files', () => {
    const section = {
      type: 9,
      components: [words('It is **out**.')],
      accessory: { type: 11, media: { url: 'https://x.example/thumb.png' }, description: 'A box' },
    };
    const gallery = {
      type: 12,
      items: [
        {
          media: {
            url: 'https://x.example/a',
            proxy_url: 'https://proxy.example/a',
            content_type: 'video/mp4',
          },
        },
      ],
    };
    const file = {
      type: 13,
      file: {
        url: 'https://cdn.example/9/plan.pdf?ex=1',
        content_type: 'application/pdf',
        attachment_id: '9',
      },
      name: 'plan.pdf',
      size: 12,
    };
    const buttons = {
      type: 1,
      components: [
        { type: 2, style: 5, label: 'Notes', url: 'https://x.example/notes' },
        { type: 2, style: 1, label: 'Approve', custom_id: 'ok' },
      ],
    };
    const container = {
      type: 17,
      components: [words('# Release'), section, { type: 14 }, gallery, file, buttons],
    };
    expect(card([container])).toMatchObject({
      text: 'Release\nIt is out.\nNotes',
      spans: [
        { mark: 'heading', start: 0, end: 7, value: '1' },
        { mark: 'bold', start: 14, end: 17 },
        { mark: 'link', start: 19, end: 24, value: 'https://x.example/notes' },
      ],
      attachments: [
        { type: 'image', remoteRef: '10/30/c0.0', name: 'thumb.png', altText: 'A box' },
        { type: 'video', remoteRef: '10/30/c0.1' },
        { type: 'file', remoteRef: '10/30/c0.2', name: 'plan.pdf', sizeBytes: 12 },
      ],
    });
  });

  it('shows a file once that is also an attachment', () => {
    const attachments = [{ id: '9', filename: 'plan.pdf', url: 'https://cdn.example/9/plan.pdf?ex=2' }];
    const file = (more: object) => ({
      type: 13,
      file: { url: 'https://cdn.example/9/plan.pdf?ex=1', ...more },
    });
    for (const component of [file({}), file({ attachment_id: '9' })])
      expect(card([component], { attachments })).toMatchObject({
        attachments: [{ remoteRef: '10/30/9', name: 'plan.pdf' }],
      });
  });

  it('of an unknown type becomes the text inside, at any depth', () => {
    const unknown = { type: 99, title: 'News', body: { type: 98, parts: [words('inside')] }, media: 7 };
    expect(card([unknown, 'broken' as never, { type: 'x', content: 'odd' }])).toMatchObject({
      text: 'News\ninside\nodd',
    });
  });

  it('with only buttons and menus becomes their labels', () => {
    const components = [
      { type: 1, components: [{ type: 2, style: 1, label: 'Yes', emoji: { name: '👍' }, custom_id: 'y' }] },
      { type: 1, components: [{ type: 3, custom_id: 'm', placeholder: 'Choose', options: [] }] },
    ];
    expect(card(components)).toMatchObject({ text: '👍 Yes\nChoose' });
    expect(card([{ type: 14 }])).toEqual({ type: 'unsupported', what: 'message without content' });
  });

  it('keeps link buttons below an ordinary text', () => {
    const button = { type: 2, style: 5, label: 'Open', url: 'https://x.example' };
    expect(said({ content: 'Look', components: [{ type: 1, components: [button] }] })).toMatchObject({
      text: 'Look\nOpen',
    });
  });
});

describe('a Discord forward', () => {
  const forward = (copy: object, context: Record<string, string> = {}) => {
    const message_reference = { type: 1, message_id: '1', channel_id: '77' };
    const [event] = read(
      'MESSAGE_CREATE',
      { ...message, message_reference, message_snapshots: [{ message: copy }] },
      context,
    );
    return event?.type === 'message' ? event.content : event;
  };

  it('quotes the original with the names of mentioned people', () => {
    const mentions = [{ id: '9', username: 'bob', global_name: 'Bob' }];
    const copy = { content: 'ask <@9> or <@&8>', mentions, mention_roles: ['8'] };
    expect(forward(copy, { mentions: JSON.stringify({ '@&8': 'Staff' }) })).toMatchObject({
      text: 'ask @Bob or @Staff',
      spans: [
        { mark: 'quote', start: 0, end: 18 },
        { mark: 'mention', start: 4, end: 8, value: '9' },
      ],
    });
  });

  it('begins with its source channel, if that is known', () => {
    const context = { mentions: JSON.stringify({ '#77': 'general' }) };
    expect(forward({ content: '> *as* I said' }, context)).toMatchObject({
      text: 'Forwarded from #general:\nas I said',
      spans: [
        { mark: 'quote', start: 0, end: 34 },
        { mark: 'italic', start: 25, end: 27 },
      ],
    });
    const attachments = [{ id: '8', filename: 'a.png', content_type: 'image/png' }];
    expect(forward({ attachments }, context)).toMatchObject({
      text: 'Forwarded from #general',
      attachments: [{ remoteRef: '10/30/8' }],
    });
  });

  it('shows the components, embeds, polls, files and stickers of the original', () => {
    const bob = { id: '9', username: 'bob', global_name: 'Bob' };
    const copy = {
      components: [{ type: 17, components: [{ type: 10, content: 'from <@9>' }] }],
      mentions: [bob],
      embeds: [{ type: 'rich', title: 'Build 7' }],
      poll: { question: { text: 'Shall we?' }, answers: [] },
      sticker_items: [{ id: '99', name: 'Wave', format_type: 1 }],
    };
    const gallery = { type: 12, items: [{ media: { url: 'https://x.example/a.png' } }] };
    expect(forward({ ...copy, components: [...copy.components, gallery] })).toMatchObject({
      text: 'from @Bob\nBuild 7\n📊 Shall we?',
      attachments: [{ remoteRef: '10/30/c1.0', type: 'image' }, { remoteRef: 'sticker/99.png' }],
    });
    expect(forward({})).toEqual({ type: 'unsupported', what: 'message without content' });
  });

  it('requests the names of its channel and of all mentions of the original', () => {
    const message_reference = { type: 1, message_id: '1', channel_id: '77' };
    const copy = { components: [{ type: 10, content: '<@&8>' }], embeds: [{ description: '<#9>' }] };
    const mentioned = mentionsIn({ ...message, message_reference, message_snapshots: [{ message: copy }] });
    expect(mentioned.toSorted()).toEqual(['#77', '#9', '@&8']);
  });
});

describe('a Discord interaction', () => {
  const interaction = (type: number, data: object, more: object = {}) => {
    const d = { id: '40', type, ...place, member: { nick: 'Countess', user: author }, data, ...more };
    const [event] = read('INTERACTION_CREATE', d);
    return event?.type === 'message' ? event.content.text : event;
  };
  const row = (...components: object[]) => ({ message: { id: '30', components: [{ type: 1, components }] } });

  it('with a command becomes the command with its subcommands and options', () => {
    const options = [{ name: 'add', type: 1, options: [{ name: 'item', type: 3, value: 'milk' }] }];
    expect(interaction(2, { name: 'list', type: 1, options })).toBe('/list add item: milk');
    expect(interaction(2, { name: 'Translate', type: 3 })).toBe('Translate');
  });

  it('with a button becomes its label, its emoji or its id', () => {
    expect(interaction(3, { custom_id: 'a' }, row({ type: 2, custom_id: 'a', label: 'Yes' }))).toBe('Yes');
    expect(interaction(3, { custom_id: 'a' }, row({ type: 2, custom_id: 'a', emoji: { name: '👍' } }))).toBe(
      '👍',
    );
    expect(interaction(3, { custom_id: 'a' })).toBe('a');
  });

  it('with a list or form becomes the selected or entered values', () => {
    const select = { type: 3, custom_id: 'a', options: [{ label: 'Large', value: 'l' }] };
    expect(interaction(3, { custom_id: 'a', values: ['l', 'x'] }, row(select))).toBe('Large, x');
    expect(interaction(3, { custom_id: 'a', values: [] }, row(select))).toBe('[nothing chosen]');
    const components = [{ type: 18, component: { type: 4, custom_id: 'b', value: 'my words' } }];
    expect(interaction(5, { custom_id: 'form', components })).toBe('my words');
  });

  it('with menus and checkboxes becomes the selected values, with names in place of ids', () => {
    const field = (type: number, more: object) => ({
      type: 18,
      component: { type, custom_id: 'b', ...more },
    });
    const components = [
      field(4, { value: 'my words' }),
      field(3, { values: ['red', 'blue'] }),
      field(5, { values: ['5'] }),
      field(8, { values: ['10'] }),
      field(19, { values: ['77'] }),
      field(21, { value: 'express' }),
      field(22, { values: [] }),
      field(23, { value: true }),
      field(23, { value: false }),
    ];
    const resolved = {
      users: { 5: author },
      members: { 5: { nick: 'Countess' } },
      channels: { 10: { id: '10', name: 'general' } },
      attachments: { 77: { id: '77', filename: 'plan.pdf' } },
    };
    expect(interaction(5, { custom_id: 'form', components, resolved })).toBe(
      'my words\nred, blue\nCountess\n#general\nplan.pdf\nexpress\nb',
    );
  });

  it('shows people, roles and channels of a command or menu with their names', () => {
    const resolved = { users: { 5: author }, roles: { 6: { id: '6', name: 'Staff' } } };
    const options = [
      { name: 'who', type: 6, value: '5' },
      { name: 'role', type: 8, value: '6' },
      { name: 'note', type: 3, value: '5' },
    ];
    expect(interaction(2, { name: 'add', type: 1, options, resolved })).toBe(
      '/add who: Ada role: Staff note: 5',
    );
    const select = row({ type: 7, custom_id: 'a' });
    expect(interaction(3, { custom_id: 'a', values: ['5', '6', '8'], resolved }, select)).toBe(
      'Ada, Staff, 8',
    );
  });

  it('is ignored while the person is still typing a command', () => {
    expect(interaction(4, { name: 'ask', type: 1 })).toMatchObject({ type: 'unsupported' });
  });
});

describe('the place of a Discord event', () => {
  it('is the thread in its channel for every event in a thread', () => {
    const context = { thread_of: '9', chat_title: 'general' };
    const chat = { id: '9', threadId: '10', kind: 'group', title: 'general' };
    expect(read('MESSAGE_CREATE', { ...message, content: 'x' }, context)).toMatchObject([{ chat }]);
    expect(read('MESSAGE_DELETE', { id: '30', ...place }, context)).toMatchObject([{ chat }]);
    expect(read('TYPING_START', { user_id: '5', ...place }, context)).toMatchObject([{ chat }]);
    expect(read('THREAD_DELETE', { id: '10', guild_id: '20' }, context)).toMatchObject([{ chat }]);
  });

  it("is marked as the bot's own for its typing and joining", () => {
    expect(read('TYPING_START', { user_id: '7', ...place })).toMatchObject([{ echo: true }]);
    const member = { user: { id: '7', username: 'bot' }, guild_id: '20' };
    expect(read('GUILD_MEMBER_ADD', member, { channels: '10,11' })).toMatchObject([
      { self: true, chat: { id: '10' } },
      { self: true, chat: { id: '11' } },
    ]);
  });
});
