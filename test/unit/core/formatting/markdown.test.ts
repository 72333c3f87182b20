import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentFromMarkdown } from '../../../../src/core/formatting/markdown.js';

/** Each span as `mark(value): the text it covers`. */
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

  it('has spans that lie in the text, are never empty and never cross, whatever is written', () => {
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

  it.each(['>', '> ', '1. ', '> - '])('keeps the words of %j without end, as they stand', (sign) => {
    const source = `${sign.repeat(Math.floor(9_990 / sign.length))}**x**`;
    expect(contentFromMarkdown(source).text).toBe(source.replace('**x**', 'x'));
    expect(styled(source)).toEqual(['bold: x']);
  });

  it('follows quotes and lists as far as people nest them', () => {
    expect(contentFromMarkdown(`${'> '.repeat(50)}x`).text).toBe('x');
  });

  it('takes pictures within pictures without end for the words that they are written with', () => {
    const source = `${'!['.repeat(1_665)}x${'](b)'.repeat(1_665)}`;
    expect(contentFromMarkdown(source).text).toBe(source.replace('[x](b)', 'x'));
    expect(styled(source)).toEqual(['link(b): x']);
  });
});
