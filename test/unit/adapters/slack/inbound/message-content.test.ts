import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../../src/contract/index.js';
import {
  slackBotContent as botSays,
  decodeSlackEvent,
  slackEditedContent as edited,
  slackContent as says,
} from '../../../../support/slack-decode.js';

const raw = (text: string) => ({ type: 'raw_text', text });
const section = (...elements: JsonObject[]) => ({ type: 'rich_text_section', elements });
const rich = (...elements: JsonObject[]) => ({ type: 'rich_text', elements: [section(...elements)] });
const words = (text: string, style?: JsonObject) => ({ type: 'text', text, ...(style && { style }) });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const plain = (text: string) => ({ type: 'plain_text', text });

const rows: JsonValue[][] = [
  [raw('Item'), raw('Amount')],
  [rich(words('Pens', { bold: true })), { type: 'raw_number', value: 12 }],
  [raw('Ink'), null],
];
const table = { type: 'table', rows };
const PASTED = 'Item | Amount\nPens | 12\nInk | ';

describe('A table in Slack', () => {
  const pasted = [{ id: 1, fallback: '[no preview available]', blocks: [table] }];

  it('is read cell by cell, one row per line, after the text that it was pasted with', () => {
    const content = says({ text: 'Order:', blocks: [rich(words('Order:'))], attachments: pasted });
    expect(content.text).toBe(`Order:\n${PASTED}`);
    expect(content.spans).toEqual([{ mark: 'bold', start: 21, end: 25 }]);
  });

  it('is read if it was pasted without text', () => {
    expect(says({ attachments: pasted }).text).toBe(PASTED);
  });

  it('is read among the blocks, even if only the text field contains the sentence', () => {
    expect(says({ text: 'Order:', blocks: [rich(words('Order:')), table] }).text).toBe(`Order:\n${PASTED}`);
    expect(botSays({ text: 'Order:', blocks: [table] }).text).toBe(`Order:\n${PASTED}`);
  });

  it('appears once if the text repeats its cells', () => {
    const cells = [[raw('a'), raw('b')]];
    expect(botSays({ text: 'a, b', blocks: [{ type: 'table', rows: cells }] }).text).toBe('a | b');
  });

  it('keeps cells of any kind on one line', () => {
    const list = {
      type: 'rich_text_list',
      style: 'bullet',
      elements: [section(words('x')), section(words('y'))],
    };
    const odd = [
      [{ type: 'rich_text', elements: [list] }, { type: 'raw_number', value: 1.5, text: '1.50' }, {}, 'z'],
    ];
    expect(says({ blocks: [{ type: 'table', rows: odd }] }).text).toBe('• x • y | 1.50 |  | z');
  });

  it('is read after an edit too', () => {
    expect(edited({ text: 'Order:', attachments: pasted }).text).toBe(`Order:\n${PASTED}`);
  });
});

describe('A card of a program in Slack', () => {
  const card = {
    fallback: 'plain',
    pretext: 'New *incident*',
    author_name: 'Pager',
    author_link: 'https://pager.example',
    title: 'Disk full',
    title_link: 'https://pager.example/1',
    text: 'On _db1_',
    fields: [{ title: 'Severity', value: '*high*', short: true }],
    footer: 'eu-west',
    image_url: 'https://img.example/a.png',
    thumb_url: 'https://img.example/b.png',
  };

  it('keeps every text of the legacy form, with its formatting, and its picture', () => {
    const content = botSays({ attachments: [card] });
    expect(content.text).toBe('New incident\nPager\nDisk full\nOn db1\nSeverity: high\neu-west');
    expect(content.spans).toEqual([
      { mark: 'bold', start: 4, end: 12 },
      { mark: 'link', start: 13, end: 18, value: 'https://pager.example' },
      { mark: 'bold', start: 19, end: 28 },
      { mark: 'link', start: 19, end: 28, value: 'https://pager.example/1' },
      { mark: 'italic', start: 32, end: 35 },
      { mark: 'bold', start: 36, end: 44 },
      { mark: 'bold', start: 46, end: 50 },
    ]);
    expect(content.attachments).toMatchObject([{ type: 'image', url: 'https://img.example/a.png' }]);
  });

  it('appears below the text of its message', () => {
    expect(botSays({ text: 'Look', attachments: [{ text: 'at this' }] }).text).toBe('Look\nat this');
  });

  it('is formatted only in the fields listed by mrkdwn_in', () => {
    const attachments = [{ pretext: '*a*', text: '*b* <https://x.example|x>', mrkdwn_in: ['pretext'] }];
    const content = botSays({ attachments });
    expect(content.text).toBe('a\n*b* x');
    expect(content.spans).toEqual([
      { mark: 'bold', start: 0, end: 1 },
      { mark: 'link', start: 6, end: 7, value: 'https://x.example' },
    ]);
  });

  it('is read from blocks in an attachment instead of the placeholder', () => {
    const blocks = [
      { type: 'section', text: mrkdwn('*Build* failed'), fields: [mrkdwn('a'), plain('b')] },
      {
        type: 'context',
        elements: [{ type: 'image', image_url: 'https://i.example/i.png' }, mrkdwn('by _me_')],
      },
    ];
    const content = botSays({ attachments: [{ fallback: '[no preview available]', blocks }] });
    expect(content.text).toBe('Build failed\na\nb\nby me');
    expect(content.attachments).toEqual([]);
  });

  it.each([
    '[no preview available]',
    'This content can\u2019t be displayed.',
    'This message contains interactive elements.',
  ])('never shows the placeholder %s', (fallback) => {
    expect(JSON.stringify(botSays({ text: fallback, attachments: [{ fallback }] }))).not.toContain(fallback);
    expect(botSays({ attachments: [{ fallback }] }).text).not.toBe('');
  });

  it('shows no link preview of a person or a program', () => {
    const unfurl = { from_url: 'https://a.example', title: 'A page', text: 'What it says' };
    expect(says({ text: 'see https://a.example', attachments: [unfurl] }).text).toBe('see https://a.example');
    expect(botSays({ text: 'see', attachments: [unfurl] }).text).toBe('see');
    const quoted = { is_msg_unfurl: true, text: 'old words', from_url: 'https://x.slack.com/archives/C1/p1' };
    expect(says({ text: 'as in the link', attachments: [quoted] }).text).toBe('as in the link');
  });
});

describe('A block in Slack', () => {
  it.each<[string, JsonObject, string]>([
    ['markdown', { text: '**Done.** See [log](https://x.example.com)' }, 'Done. See log'],
    [
      'video',
      { title: plain('Tour'), title_url: 'https://v.example', alt_text: 'x', description: plain('2 min') },
      'Tour\n2 min',
    ],
    ['call', { call: { v1: { name: 'Stand-up', join_url: 'https://call.example' } } }, 'Stand-up'],
    [
      'input',
      { label: plain('Name'), hint: plain('Full name'), element: { type: 'plain_text_input' } },
      'Name\nFull name',
    ],
    ['alert', { text: mrkdwn('*Beware*'), level: 'warning' }, 'Beware'],
    ['card', { title: mrkdwn('T'), subtitle: mrkdwn('S'), body: mrkdwn('B'), actions: [] }, 'T\nS\nB'],
    [
      'carousel',
      {
        elements: [
          { type: 'card', title: mrkdwn('1') },
          { type: 'card', title: mrkdwn('2') },
        ],
      },
      '1\n2',
    ],
    ['container', { title: plain('C'), child_blocks: [{ type: 'section', text: plain('in') }] }, 'C\nin'],
    [
      'plan',
      { title: 'Plan', tasks: [{ type: 'task_card', title: 'Do', details: rich(words('it')) }] },
      'Plan\nDo\nit',
    ],
    [
      'task_card',
      { title: 'Do', sources: [{ type: 'url', url: 'https://s.example', text: 'Source' }] },
      'Do\nSource',
    ],
    ['data_table', { caption: 'Sales', rows: [[raw('a'), raw('b')]] }, 'Sales\na | b'],
    ['contact_card', { name: 'Zoe', email: 'zoe@x.example', phone: '+1' }, 'Zoe\nzoe@x.example\n+1'],
    [
      'section',
      { text: mrkdwn('Go'), accessory: { type: 'button', text: plain('Open'), url: 'https://o.example' } },
      'Go\nOpen',
    ],
    [
      'actions',
      {
        elements: [
          { type: 'button', text: plain('Yes') },
          { type: 'button', text: plain('No') },
        ],
      },
      'Yes\nNo',
    ],
    [
      'data_visualization',
      {
        title: 'Share',
        chart: {
          type: 'pie',
          segments: [
            { label: 'A', value: 1 },
            { label: 'B', value: 2 },
          ],
        },
      },
      'Share\nA: 1\nB: 2',
    ],
  ])('of type %s becomes its text', (type, fields, text) => {
    expect(botSays({ blocks: [{ type, ...fields }] }).text).toBe(text);
  });

  it('of type markdown keeps its formatting', () => {
    const text =
      '# Head\n**b *i* b** ~~s~~ `c` <https://u.example>\n> q\n- one\n2. two\n- [x] done\n```js\nx*y\n```\n\\*plain\\*';
    const content = botSays({ blocks: [{ type: 'markdown', text }] });
    expect(content.text).toBe('Head\nb i b s c https://u.example\nq\n• one\n2. two\n• ☑ done\nx*y\n*plain*');
    expect(content.spans.map(({ mark, start, end }) => [mark, content.text.slice(start, end)])).toEqual([
      ['heading', 'Head'],
      ['bold', 'b i b'],
      ['italic', 'i'],
      ['strike', 's'],
      ['code', 'c'],
      ['link', 'https://u.example'],
      ['quote', 'q'],
      ['list', '• one\n2. two\n• ☑ done'],
      ['code_block', 'x*y'],
    ]);
  });

  it('of type markdown loses nothing if its markup is invalid', () => {
    const text = '** a *b [c](d [e] _f snake_case_word 2 * 3 * 4 `x';
    expect(botSays({ blocks: [{ type: 'markdown', text }] })).toMatchObject({ text, spans: [] });
  });

  it('with a picture of Slack names the file, and other pictures by their address', () => {
    const blocks = [
      { type: 'image', alt_text: 'Plan', title: plain('Floor'), slack_file: { id: 'F0PLAN' } },
      {
        type: 'image',
        alt_text: 'x',
        slack_file: { url: 'https://files.slack.com/files-pri/T1-F0URL/x.png' },
      },
      {
        type: 'section',
        text: plain('s'),
        accessory: { type: 'image', image_url: 'https://i.example/a.png', alt_text: 'A' },
      },
    ];
    expect(botSays({ blocks }).attachments).toEqual([
      { type: 'image', remoteRef: 'F0PLAN', altText: 'Plan', name: 'Floor' },
      { type: 'image', remoteRef: 'F0URL', altText: 'x' },
      { type: 'image', url: 'https://i.example/a.png', altText: 'A' },
    ]);
  });
});

describe('A shared message in Slack', () => {
  const file = { id: 'F7', name: 'a.pdf', mimetype: 'application/pdf', size: 9 };
  const share = {
    is_share: true,
    is_msg_unfurl: true,
    author_name: 'Bob',
    text: 'Pay *500*',
    files: [file],
    from_url: 'https://x',
  };

  it('becomes a quote with its author, and its files become attachments', () => {
    const content = says({ attachments: [share] });
    expect(content.text).toBe('Bob: Pay 500');
    expect(content.spans).toEqual([
      { mark: 'quote', start: 0, end: 12 },
      { mark: 'bold', start: 9, end: 12 },
    ]);
    expect(content.attachments).toMatchObject([
      { type: 'file', remoteRef: 'F7', name: 'a.pdf', sizeBytes: 9 },
    ]);
  });

  it("appears below the sender's own text, each share as a separate quote", () => {
    const content = says({
      text: 'See',
      attachments: [share, { is_share: true, author_id: 'U2BOB', text: 'two' }],
    });
    expect(content.text).toBe('See\nBob: Pay 500\nBob: two');
    expect(content.spans.filter(({ mark }) => mark === 'quote')).toEqual([
      { mark: 'quote', start: 4, end: 16 },
      { mark: 'quote', start: 17, end: 25 },
    ]);
  });

  it.each<[string, JsonObject]>([
    ['blocks', { blocks: [rich(words('exact'))] }],
    [
      'message_blocks',
      {
        message_blocks: [{ team: 'T', channel: 'C', ts: '1.1', message: { blocks: [rich(words('exact'))] } }],
      },
    ],
    ['bare message_blocks', { message_blocks: [rich(words('exact'))] }],
    ['the fallback', { fallback: 'exact' }],
  ])('is read from %s', (_, fields) => {
    const content = says({ text: 'See', attachments: [{ is_share: true, author_name: 'Bob', ...fields }] });
    expect(content).toMatchObject({ text: 'See\nBob: exact', spans: [{ mark: 'quote', start: 4, end: 14 }] });
  });

  it('keeps files of another workspace whose id alone is known', () => {
    const files = [{ id: 'F8', mode: 'file_access', file_access: 'check_file_info' }];
    expect(says({ attachments: [{ is_share: true, files }] }).attachments).toEqual([
      { type: 'file', remoteRef: 'F8' },
    ]);
  });

  it('keeps the files in message_blocks', () => {
    const message_blocks = [{ message: { text: '', files: [file], blocks: [] } }];
    expect(says({ attachments: [{ is_share: true, author_name: 'Bob', message_blocks }] })).toMatchObject({
      text: '',
      attachments: [{ remoteRef: 'F7' }],
    });
  });

  it('is read from the text of a message without blocks', () => {
    const message_blocks = [{ message: { text: 'exact *words*' } }];
    const text = '[no preview available]';
    expect(says({ attachments: [{ is_share: true, author_name: 'Bob', text, message_blocks }] })).toEqual({
      text: 'Bob: exact words',
      spans: [
        { mark: 'quote', start: 0, end: 16 },
        { mark: 'bold', start: 11, end: 16 },
      ],
      attachments: [],
    });
  });

  const alarm = { title: 'CPU high', text: '95 %', image_url: 'https://i.example/cpu.png', files: [file] };
  const preview = { from_url: 'https://x.example', title: 'A link preview' };
  it.each([
    ['its message', { message_blocks: [{ message: { text: '', attachments: [alarm, preview] } }] }],
    ['the share', { attachments: [alarm, preview] }],
  ])('contains the cards in %s, without link previews', (_, fields) => {
    const share = { is_share: true, author_name: 'Bot', fallback: '[no preview available]', ...fields };
    expect(says({ text: 'See', attachments: [share] })).toEqual({
      text: 'See\nBot: CPU high\n95 %',
      spans: [
        { mark: 'quote', start: 4, end: 22 },
        { mark: 'bold', start: 9, end: 17 },
      ],
      attachments: [
        expect.objectContaining({ remoteRef: 'F7' }),
        { type: 'image', url: 'https://i.example/cpu.png', name: 'CPU high' },
      ],
    });
  });

  it('of a pasted table contains its cells', () => {
    const rows = [['Item', 'Amount'].map((text) => ({ type: 'raw_text', text }))];
    const message = { text: 'Costs', attachments: [{ blocks: [{ type: 'table', rows }] }] };
    const share = { is_share: true, author_name: 'Bob', message_blocks: [{ message }] };
    expect(says({ attachments: [share] }).text).toBe('Bob: Costs\nItem | Amount');
  });

  it('of a shared message is one quote that names both authors', () => {
    const inner = { is_share: true, author_name: 'Eve', text: 'first' };
    const share = { is_share: true, author_name: 'Bob', text: 'second', attachments: [inner] };
    expect(says({ attachments: [share] })).toMatchObject({
      text: 'Bob: second\nEve: first',
      spans: [{ mark: 'quote', start: 0, end: 22 }],
    });
  });

  it('is read to a limited depth', () => {
    let share: JsonObject = { is_share: true, author_name: 'Bob', text: 'deepest' };
    for (let depth = 0; depth < 50; depth += 1) share = { is_share: true, text: 'on', attachments: [share] };
    expect(says({ attachments: [share] }).text).toBe('on\non\non\non');
  });
});

describe('A file in Slack', () => {
  it.each(['quip', 'canvas', 'docs', 'list', 'space'])('of mode %s becomes a link to its page', (mode) => {
    const files = [
      {
        id: 'F1',
        mode,
        title: 'Plan',
        permalink: 'https://x.slack.com/docs/T/F1',
        mimetype: 'application/vnd.slack-docs',
      },
    ];
    expect(says({ text: 'see', files })).toEqual({
      text: 'see\nPlan',
      spans: [{ mark: 'link', start: 4, end: 8, value: 'https://x.slack.com/docs/T/F1' }],
      attachments: [],
    });
  });

  it('that was deleted leaves a hint if the message has nothing else', () => {
    expect(says({ files: [{ id: 'F1', mode: 'tombstone' }] }).text).toBe('[deleted file]');
    expect(says({ files: [{ id: 'F1', mode: 'hidden_by_limit' }] }).text).toBe('[hidden file]');
    expect(says({ text: 'see', files: [{ id: 'F1', mode: 'tombstone' }] }).text).toBe('see');
  });

  it('beyond the tenth becomes a link', () => {
    const files = Array.from({ length: 12 }, (_, at) => ({
      id: `F${at}`,
      name: `n${at}`,
      permalink: `https://x/${at}`,
    }));
    const content = says({ files });
    expect(content.attachments).toHaveLength(10);
    expect(content.text).toBe('n10\nn11');
  });
});

describe('A Slack message', () => {
  it('without visible content is not stored, but one with unknown elements is', () => {
    expect(
      decodeSlackEvent({ type: 'message', channel: 'C1', user: 'U1ANN', ts: '1.1', text: '' })?.type,
    ).toBe('unsupported');
    expect(botSays({ blocks: [{ type: 'hologram' }] }).text).toBe('[message without text]');
  });

  it('names a user group, or shows a generic label', () => {
    expect(says({ text: '<!subteam^S1> <!subteam^S2> <!subteam^S2|@ops>' }).text).toBe(
      '@engineers @group @ops',
    );
    expect(says({ blocks: [rich({ type: 'usergroup', usergroup_id: 'S1' })] }).text).toBe('@engineers');
  });

  it('shows a date without text in its own format', () => {
    const date =
      '<!date^1392734382^Posted {date_num} {time}> <!date^1392734382^{date_long}^https://d.example>';
    const content = says({ text: date });
    expect(content.text).toBe('Posted 2014-02-18 2:39 PM UTC Tuesday, February 18th, 2014');
    expect(content.spans).toEqual([{ mark: 'link', start: 30, end: 58, value: 'https://d.example' }]);
    const block = rich({ type: 'date', timestamp: 1392734382, format: '{date_short} at {time_secs}' });
    expect(says({ blocks: [block] }).text).toBe('Feb 18, 2014 at 2:39:42 PM UTC');
  });

  it('quotes everything after three angle brackets', () => {
    const content = says({ text: 'a\n&gt;&gt;&gt;b\n\n*c*\n```d```' });
    expect(content.text).toBe('a\nb\n\nc\nd');
    expect(content.spans[0]).toEqual({ mark: 'quote', start: 2, end: 8 });
    expect(says({ text: '&gt;&gt;&gt;\nb\nc' })).toMatchObject({
      text: 'b\nc',
      spans: [{ mark: 'quote', start: 0, end: 3 }],
    });
  });
});
