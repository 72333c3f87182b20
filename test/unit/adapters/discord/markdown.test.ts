import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '../../../../adapters/discord/inbound/markdown-parser.js';
import { renderMarkdown } from '../../../../adapters/discord/outbound/markdown-renderer.js';
import type { Mark, Span } from '../../../../src/contract/index.js';

const names = new Map([
  ['1', 'Ada'],
  ['#7', 'general'],
  ['@&8', 'team'],
]);
const parse = (source: string) => parseMarkdown(source, names);
const span = (mark: Mark, start: number, end: number, value?: string): Span => ({
  mark,
  start,
  end,
  ...(value === undefined ? {} : { value }),
});
const render = (text: string, ...spans: Span[]) => renderMarkdown({ text, spans });

describe('Discord Markdown, read', () => {
  const corpus: readonly [string, string, readonly Span[]][] = [
    ['**bold**', 'bold', [span('bold', 0, 4)]],
    ['*italic* and _italic_', 'italic and italic', [span('italic', 0, 6), span('italic', 11, 17)]],
    ['__under__', 'under', [span('underline', 0, 5)]],
    ['~~gone~~', 'gone', [span('strike', 0, 4)]],
    ['||secret||', 'secret', [span('spoiler', 0, 6)]],
    ['***both***', 'both', [span('bold', 0, 4), span('italic', 0, 4)]],
    ['**a *b* c**', 'a b c', [span('bold', 0, 5), span('italic', 2, 3)]],
    ['`a * b`', 'a * b', [span('code', 0, 5)]],
    ['`` `x` ``', '`x`', [span('code', 0, 3)]],
    ['```js\nlet a = 1;\n```', 'let a = 1;', [span('code_block', 0, 10, 'js')]],
    ['```\nplain\n```', 'plain', [span('code_block', 0, 5)]],
    ['> one\n> two\nthree', 'one\ntwo\nthree', [span('quote', 0, 7)]],
    ['[label](https://e.com/a_b)', 'label', [span('link', 0, 5, 'https://e.com/a_b')]],
    [
      '[A](https://e.com/A_(b)) [B](<https://e.com/B_(c>)!',
      'A B!',
      [span('link', 0, 1, 'https://e.com/A_(b)'), span('link', 2, 3, 'https://e.com/B_(c')],
    ],
    ['<https://e.com>', 'https://e.com', []],
    ['<#7> for <@&8>, </ask us:9>', '#general for @team, /ask us', []],
    ['<#70> and <@&80>', '#unknown and @unknown-role', []],
    ['-# small **print**\n-# more\n-#no', 'small print\nmore\n-#no', [span('bold', 6, 11)]],
    ['hi <@1>', 'hi @Ada', [span('mention', 3, 7, '1')]],
    ['<@600000000000000009>', '@unknown-user', [span('mention', 0, 13, '600000000000000009')]],
    ['<:blob_wave:12345>!', ':blob_wave:!', []],
    ['<t:1767225600:F>', '2026-01-01 00:00 UTC', []],
  ];
  it.each(corpus)('%j is read as %j with its marks', (source, text, spans) => {
    expect(parse(source)).toEqual({ text, spans });
  });

  const literal = [
    'a * b * c',
    'snake_case_name',
    '2 ** 3',
    'https://e.com/a_b_c*d*',
    '> ',
    '```',
    '``',
    '[no](javascript:alert)',
    '** **'.slice(0, 2),
  ];
  it.each(literal)('plain text stays plain: %j', (source) => {
    expect(parse(source)).toEqual({ text: source, spans: [] });
  });

  it('a backslash before punctuation makes it plain', () => {
    expect(parse('\\*not bold\\* \\a')).toEqual({ text: '*not bold* \\a', spans: [] });
  });

  // A parser with quadratic time would exceed the test's time limit.
  it.each(['*', '_', '**a', '[', '`', '||', '~~_*', '> '])('3,000,000 characters of %j are read', (piece) => {
    expect(parse(piece.repeat(3_000_000 / piece.length)).text.length).toBeGreaterThan(0);
  });
});

describe('Discord Markdown, written', () => {
  it('carries every mark in Discord’s own markup', () => {
    expect(render('bold', span('bold', 0, 4))).toBe('**bold**');
    expect(render('a b', span('italic', 0, 1), span('strike', 2, 3))).toBe('*a* ~~b~~');
    expect(render('x', span('underline', 0, 1), span('spoiler', 0, 1))).toBe('__||x||__');
    expect(render('a`b', span('code', 0, 3))).toBe('``a`b``');
    expect(render('let a', span('code_block', 0, 5, 'js'))).toBe('```js\nlet a\n```');
    expect(render('q\nr\ns', span('quote', 0, 3))).toBe('> q\n> r\ns');
    expect(render('label', span('link', 0, 5, 'https://e.com/(x)'))).toBe('[label](https://e.com/%28x%29)');
  });

  it('shows the target of a link whose label looks like another address', () => {
    const text = 'https://bank.example';
    expect(render(text, span('link', 0, text.length, 'https://evil.example'))).toBe(
      'https://bank.example (<https://evil.example>)',
    );
  });

  it('leaves mentions as names', () => {
    expect(render('hi @Ada', span('mention', 3, 7, '42'))).toBe('hi \\@Ada');
  });

  it('can neither ping nor mention nor format by its text', () => {
    expect(render('@everyone <@1> <@&2> <#3> <id:guide> **x**')).toBe(
      '\\@everyone \\<\\@1> \\<\\@&2> \\<#3> \\<id:guide> \\*\\*x\\*\\*',
    );
    expect(render('# a\n> b\n- c\n1. d')).toBe('\\# a\n\\> b\n\\- c\n1\\. d');
  });

  it('leaves bare links whole', () => {
    expect(render('see https://e.com/a_b_(c)*d.')).toBe('see https://e.com/a_b_(c)*d.');
  });

  it('keeps blanks outside of the marks', () => {
    expect(render('a b c', span('bold', 1, 4))).toBe('a **b** c');
    expect(render('   ', span('bold', 0, 3))).toBe('   ');
  });
});

describe('Discord Markdown that is written and read back', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 });
  const markup = fc.array(
    fc.constantFrom(
      '*',
      '_',
      '~',
      '|',
      '`',
      '>',
      '#',
      '-',
      '1.',
      '<',
      '@',
      '[',
      ']',
      '(',
      ')',
      '\\',
      '\n',
      ' ',
      'a',
      'https://e.com/a_b',
    ),
    { maxLength: 60 },
  );

  it('has the same text for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          markup.map((parts) => parts.join('')),
        ),
        (source) => {
          expect(parse(render(source))).toEqual({ text: source, spans: [] });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('has the same text and mark for any marked words', () => {
    const marks = fc.constantFrom<Mark>('bold', 'italic', 'underline', 'strike', 'spoiler', 'quote');
    const word = fc.stringMatching(/^[a-z*_~|\\]{1,12}$/);
    fc.assert(
      fc.property(word, word, marks, (before, marked, mark) => {
        const gap = mark === 'quote' ? '\n' : ' ';
        const whole = `${before}${gap}${marked}${gap}end`;
        const start = before.length + 1;
        const spans = [span(mark, start, start + marked.length)];
        expect(parse(render(whole, ...spans))).toEqual({ text: whole, spans });
      }),
      { numRuns: 2_000 },
    );
  });

  it('has the same text for any nesting of marks', () => {
    const inline = fc.constantFrom<Mark>('bold', 'italic', 'underline', 'strike', 'spoiler', 'code');
    fc.assert(
      fc.property(
        fc.uniqueArray(inline, { minLength: 1 }),
        fc.stringMatching(/^[a-z]+( [a-z]+)*$/),
        (marks, words) => {
          const spans = marks.map((mark) => span(mark, 0, words.length));
          expect(parse(renderMarkdown({ text: words, spans })).text).toBe(words);
        },
      ),
    );
  });
});
