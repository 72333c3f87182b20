import { describe, expect, it } from 'vitest';
import { blocksSchema, parseBlocks } from '../../../../../adapters/slack/inbound/from-blocks.js';
import { renderBlocks } from '../../../../../adapters/slack/outbound/to-blocks.js';
import { blocksProblem, plainText } from '../../../../../adapters/slack/simulator/blocks.js';
import type { JsonObject, Mark, Span } from '../../../../../src/contract/index.js';

const names = {
  user: (id: string) => ({ U1AA: 'Ann' })[id],
  channel: (id: string) => ({ C1: 'general' })[id],
};
const parse = (blocks: readonly unknown[]) => parseBlocks(blocksSchema.parse(blocks), names);
const rich = (...elements: JsonObject[]) => [{ type: 'rich_text', elements }];
const section = (...elements: JsonObject[]) => ({ type: 'rich_text_section', elements });
const words = (text: string, style?: JsonObject) => ({ type: 'text', text, ...(style && { style }) });
const span = (mark: Mark, start: number, end: number, value?: string): Span => ({
  mark,
  start,
  end,
  ...(value === undefined ? {} : { value }),
});
const render = (text: string, ...spans: Span[]) => renderBlocks({ text, spans, attachments: [] });

describe('Slack blocks, read', () => {
  it.each<[string, readonly unknown[], string, Span[]]>([
    [
      'styles, joined where they continue and never crossing',
      rich(
        section(
          words('a', { bold: true }),
          words('b', { bold: true, italic: true }),
          words('c', { italic: true }),
        ),
      ),
      'abc',
      [span('bold', 0, 2), span('italic', 1, 2), span('italic', 2, 3)],
    ],
    [
      'people, channels, groups and emoji',
      rich(
        section(
          { type: 'user', user_id: 'U1AA' },
          words(' in '),
          { type: 'channel', channel_id: 'C1' },
          words(' '),
          { type: 'usergroup', usergroup_id: 'S1' },
          { type: 'broadcast', range: 'here' },
          { type: 'emoji', name: 'wave', skin_tone: 4 },
          { type: 'emoji', name: '+1', unicode: '1f44d-1f3fb' },
          { type: 'emoji', name: 'heart' },
          { type: 'emoji', name: 'party-parrot' },
          { type: 'emoji', name: 'unheard-of', unicode: '1f9ea' },
          { type: 'date', timestamp: 1, format: '{date}', fallback: 'today' },
        ),
      ),
      '@Ann in #general @group@here👋🏽👍🏻❤️:party-parrot:🧪today',
      [span('mention', 0, 4, 'U1AA')],
    ],
    [
      'links',
      rich(
        section(
          { type: 'link', url: 'https://a.example', text: 'here' },
          { type: 'link', url: 'https://b.example' },
        ),
      ),
      'herehttps://b.example',
      [span('link', 0, 4, 'https://a.example'), span('link', 4, 21, 'https://b.example')],
    ],
    [
      'code, quotes and what stands around them, on lines of their own',
      rich(
        section(words('look:\n')),
        { type: 'rich_text_preformatted', elements: [words('a *b*')], language: 'ts' },
        { type: 'rich_text_quote', elements: [words('said')] },
        section(words('\nend')),
      ),
      'look:\na *b*\nsaid\n\nend',
      [span('code_block', 6, 11, 'ts'), span('quote', 12, 16)],
    ],
    [
      'lists with levels as one',
      rich(
        {
          type: 'rich_text_list',
          style: 'bullet',
          indent: 0,
          elements: [section(words('one')), section(words('two'))],
        },
        { type: 'rich_text_list', style: 'ordered', indent: 1, offset: 2, elements: [section(words('x'))] },
      ),
      '• one\n• two\n  3. x',
      [span('list', 0, 18)],
    ],
    [
      'the blocks of programs',
      [
        { type: 'header', text: { type: 'plain_text', text: 'Build :tada:' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '*failed*' },
          fields: [{ type: 'plain_text', text: '*x*' }],
        },
        { type: 'divider' },
        {
          type: 'context',
          elements: [
            { type: 'image', image_url: 'x' },
            { type: 'mrkdwn', text: 'by _me_' },
          ],
        },
        { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Again' } }] },
      ],
      'Build 🎉\nfailed\n*x*\nby me',
      [span('heading', 0, 8, '1'), span('bold', 9, 15), span('italic', 23, 25)],
    ],
  ])('%s', (_, blocks, text, spans) => {
    const parsed = parse(blocks);
    expect(parsed.text).toBe(text);
    expect(parsed.spans).toEqual(spans);
  });

  it('shows pictures as attachments', () => {
    const image = { type: 'image', image_url: 'https://x.example/cat.png', alt_text: 'A cat' };
    expect(parse([image, { ...image, image_url: 'javascript:x' }]).attachments).toEqual([
      { type: 'image', url: 'https://x.example/cat.png', altText: 'A cat' },
    ]);
  });

  it('leaves out malformed elements and keeps the rest', () => {
    const blocks = [
      null,
      7,
      {
        type: 'rich_text',
        elements: [null, { type: 'rich_text_section', elements: [{}, null] }, section(words('x'))],
      },
    ];
    expect(parse(blocks).text).toBe('x');
  });
});

describe('Slack blocks, written', () => {
  it('do not parse text as markup', () => {
    for (const text of [
      '*word* _it_ ~no~ `x` ```y```',
      ':wave: <!channel> <@U1AA> &amp;',
      '> a\n• b\n1. c',
    ]) {
      const { blocks, lost } = render(text);
      expect(blocks).toEqual(rich(section(words(text))));
      expect(lost.size).toBe(0);
    }
  });

  it.each<[string, Span[], readonly JsonObject[]]>([
    [
      'bold it under',
      [span('bold', 0, 7), span('italic', 5, 7), span('underline', 8, 13)],
      rich(
        section(
          words('bold ', { bold: true }),
          words('it', { bold: true, italic: true }),
          words(' '),
          words('under', { underline: true }),
        ),
      ),
    ],
    [
      '@Ann see here',
      [span('mention', 0, 4, 'U1AA'), span('link', 9, 13, 'https://a.example')],
      rich(
        section({ type: 'user', user_id: 'U1AA' }, words(' see '), {
          type: 'link',
          url: 'https://a.example',
          text: 'here',
        }),
      ),
    ],
    [
      'a\ncode\nsaid\nb',
      [span('code_block', 2, 6, 'js'), span('quote', 7, 11)],
      rich(
        section(words('a\n')),
        { type: 'rich_text_preformatted', elements: [words('code')], language: 'js' },
        { type: 'rich_text_quote', elements: [words('said')] },
        section(words('b')),
      ),
    ],
    [
      '• one\n• two\n  3. x',
      [span('list', 0, 18), span('bold', 2, 5)],
      rich(
        {
          type: 'rich_text_list',
          style: 'bullet',
          indent: 0,
          elements: [section(words('one', { bold: true })), section(words('two'))],
        },
        { type: 'rich_text_list', style: 'ordered', indent: 1, offset: 2, elements: [section(words('x'))] },
      ),
    ],
  ])('%j', (text, spans, blocks) => {
    const rendered = render(text, ...spans);
    expect(rendered.blocks).toEqual(blocks);
    expect(blocksProblem(rendered.blocks as never)).toBeUndefined();
    expect(plainText(rendered.blocks, () => 'Ann')).toBe(text);
  });

  it('name the marks that they cannot show', () => {
    const lost = (mark: Mark, value?: string) => [...render('text', span(mark, 0, 4, value)).lost];
    expect(lost('spoiler')).toEqual(['spoiler']);
    expect(lost('mention', '123456')).toEqual(['mention']);
    expect(lost('link', 'javascript:alert(1)')).toEqual(['link']);
    expect(lost('list')).toEqual(['list']);
    expect(lost('heading', '2')).toEqual([]);
  });
});
