import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentFromMarkdown } from '../../../../src/core/formatting/markdown.js';
import { textBlocks } from '../../../../src/core/versions/text-blocks.js';

/** Each span as `mark(value): covered text`. */
function styled(source: string): string[] {
  const { text, spans } = contentFromMarkdown(source);
  return spans.map(
    ({ mark, start, end, value }) =>
      `${mark}${value === undefined ? '' : `(${value})`}: ${text.slice(start, end)}`,
  );
}

describe('Markdown as neutral content', () => {
  it.each([
    ['**bold** and *italic*', 'bold and italic', ['bold: bold', 'italic: italic']],
    ['~~gone~~ `x < y`', 'gone x < y', ['strike: gone', 'code: x < y']],
    ['***both***', 'both', ['bold: both', 'italic: both']],
    ['[site](https://a.example/?q=1)', 'site', ['link(https://a.example/?q=1): site']],
    ['[site][1]\n\n[1]: https://a.example', 'site', ['link(https://a.example): site']],
    ['![a cat](https://a.example/cat.png)', 'a cat', ['link(https://a.example/cat.png): a cat']],
    ['![a cat][1]\n\n[1]: https://a.example/cat.png', 'a cat', ['link(https://a.example/cat.png): a cat']],
    ['[note]: https://a.example', '[note]: https://a.example', []],
    ['# Title\n\ntext', 'Title\n\ntext', ['heading(1): Title']],
    ['> one\n> two', 'one\ntwo', ['quote: one\ntwo']],
    ['```js\nlet a;\n```', 'let a;', ['code_block(js): let a;']],
    ['[a](<https://a.example/x y>)', 'a', ['link(https://a.example/x%20y): a']],
    ['- a\n- **b**', '• a\n• b', ['bold: b', 'list: • a\n• b']],
    ['3. c\n4. d', '3. c\n4. d', ['list: 3. c\n4. d']],
    ['- a\n  - b\n    1. c\n- d', '• a\n  • b\n    1. c\n• d', ['list: • a\n  • b\n    1. c\n• d']],
    ['> - a\n\ntext\n\n- b', '• a\n\ntext\n\n• b', ['quote: • a', 'list: • a', 'list: • b']],
    ['a\\\nb', 'a\nb', []],
    ['&lt;b&gt; \\*no\\*', '<b> *no*', []],
    ['<b>raw</b>', '<b>raw</b>', []],
    ['👩‍🚀 **é**', '👩‍🚀 é', ['bold: é']],
    ['', '', []],
  ])('%j', (source, text, spans) => {
    expect(contentFromMarkdown(source).text).toBe(text);
    expect(styled(source).sort()).toEqual([...spans].sort());
  });

  it('has spans within the text that are never empty and never cross, for any input', () => {
    const piece = fc.constantFrom(
      '*',
      '**',
      '_',
      '~~',
      '`',
      '```\n',
      '[',
      '](x)',
      '> ',
      '- ',
      '# ',
      '\n',
      '\n\n',
      'a',
      '👍',
      ' ',
      '![',
      '<b>',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const { text, spans } = contentFromMarkdown(pieces.join(''));
        for (const { start, end } of spans)
          expect(0 <= start && start < end && end <= text.length).toBe(true);
        for (const a of spans)
          for (const b of spans) expect(a.start < b.start && b.start < a.end && a.end < b.end).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['two long runs around a letter', `${'*'.repeat(5_000)}a${'*'.repeat(4_999)}`],
    ['two runs of underscores around a letter', `${'_'.repeat(700)}a${'_'.repeat(700)}`],
    ['many runs inside each other', `${'*'.repeat(40)}a`.repeat(100)],
    ['blank lines', `a${'\n'.repeat(9_998)}b`],
    ['carriage returns', `a${'\r'.repeat(9_998)}b`],
    ['deep quotes, each a block of its own', `${'>'.repeat(49)}a\n\n`.repeat(190).trimEnd()],
    ['deep quotes of other depths', '>>>>>>>>>>>>>>>>>>>>>>>># a\n># b\n'.repeat(100).trimEnd()],
    ['lists within quotes', `${'>'.repeat(40)}- - - a\n\n`.repeat(200).trimEnd()],
    ['deep lists', `${'- '.repeat(25)}a\n\n`.repeat(180).trimEnd()],
    ['lines of a deep list', `${'- '.repeat(50)}a\n${`${'\t'.repeat(25)}a\n`.repeat(300)}`.trimEnd()],
  ])('treats a text that is expensive to parse as plain text: %s', (_, source) => {
    expect(contentFromMarkdown(source)).toMatchObject({ text: source, spans: [] });
    expect(textBlocks(source, 'markdown')).toEqual(textBlocks(source, 'text'));
  });

  it.each([
    ['lines of stars and underscores', `${`${'*'.repeat(80)}\n\n${'_'.repeat(40)}\n\n`.repeat(15)}**a**`],
    ['a form with gaps to fill in', `${`Name: ${'_'.repeat(30)}\n`.repeat(20)}**a**`],
    ['a thread of quotes', `${'> > > a\n'.repeat(150)}\n**a**`],
    ['a list of 200 items in three levels', `${'- a\n  - b\n    - c\n      d\n'.repeat(50)}\n**a**`],
    ['indented code', `\`\`\`\n${`${' '.repeat(16)}call();\n`.repeat(200)}\`\`\`\n\n**a**`],
    ['lines with carriage returns', `${'a line of a letter\r\n'.repeat(400)}\r\n**a**`],
  ])('keeps the styles of a long text that people write: %s', (_, source) => {
    expect(styled(source)).toContain('bold: a');
  });

  it.each(['>', '> ', '1. ', '> - '])('keeps a long repetition of %j as text', (sign) => {
    const source = `${sign.repeat(Math.floor(9_990 / sign.length))}**x**`;
    expect(contentFromMarkdown(source).text).toBe(source.replace('**x**', 'x'));
    expect(styled(source)).toEqual(['bold: x']);
  });

  it('follows quotes and lists as deep as people nest them', () => {
    expect(contentFromMarkdown(`${'> '.repeat(50)}x`).text).toBe('x');
  });

  it('replaces endlessly nested pictures by their source text', () => {
    const source = `${'!['.repeat(200)}x${'](b)'.repeat(200)}`;
    expect(contentFromMarkdown(source).text).toBe(source.replace('[x](b)', 'x'));
    expect(styled(source)).toEqual(['link(b): x']);
  });

  it.each([
    '> a\n\n',
    '- a\n',
    '- a\na',
    '\n\n1. > ',
    'a\n\n',
    'a\r\r',
    'a\n===\n',
    '=\n',
    '[a](b) ',
    '![a](b)',
    'a*_',
    '~~a',
    '`a',
    'a<!--',
    '\\\n',
  ])('keeps ten thousand characters of %j unchanged, since parsing them would take too long', (piece) => {
    const source = `${piece.repeat(Math.floor(9_990 / piece.length))}**x**`;
    expect(contentFromMarkdown(source)).toEqual({ text: source, spans: [], attachments: [] });
    const lines = source.split('\n').map((line) => line.replace(/\r$/, ''));
    expect(textBlocks(source, 'markdown').map(({ text }) => text)).toEqual(
      lines.filter((line) => line.trim() !== ''),
    );
  });

  it('formats the longest texts that people write', () => {
    const list = Array.from({ length: 390 }, (_, index) => `- the item number ${index}`).join('\n');
    expect(textBlocks(list, 'markdown')).toHaveLength(390);
    const bold = Array.from({ length: 190 }, (_, index) => `- the item number ${index}, **bold**`).join('\n');
    expect(styled(bold).filter((span) => span === 'bold: bold')).toHaveLength(190);
    const paragraph =
      'A sentence with [a link](https://a.example), _emphasis_ and `code` in it, then some more.\n\n';
    const prose = `# Title\n\n${paragraph.repeat(110)}`;
    expect(styled(prose).filter((span) => span.startsWith('link'))).toHaveLength(110);
    const quote = '> a line of what was said before\n'.repeat(300);
    expect(styled(quote)).toHaveLength(1);
  });

  it('parses equal texts once', () => {
    expect(contentFromMarkdown('**same**')).toBe(contentFromMarkdown(['**sa', 'me**'].join('')));
    expect(textBlocks('**same**', 'markdown')).toBe(textBlocks('**same**', 'markdown'));
    expect(contentFromMarkdown('**other**').text).toBe('other');
  });
});
