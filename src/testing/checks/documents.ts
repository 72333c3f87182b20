import fc from 'fast-check';
import type { Capabilities, Content, Mark, Span } from '../../contract/index.js';

/** Texts that break renderers: markup of many dialects, both writing directions and characters of several code points. */
const pieces = [
  'word',
  'a',
  ' ',
  '\n',
  '*',
  '_',
  '~~',
  '`',
  '||',
  '**bold**',
  '<b>',
  '&amp;',
  '<@U123>',
  '[link](https://example.com)',
  '> quote',
  '# heading',
  '| a | b |',
  '\\',
  'שלום',
  'مرحبا',
  '漢字',
  'é',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  'ñ',
  '€',
];

const words = fc.array(fc.tuple(fc.constantFrom(...pieces), fc.integer({ min: 1, max: 120 })), {
  minLength: 1,
  maxLength: 40,
});

/** Native marks that need at most a known value. */
export function plainMarks({ text: { formats } }: Capabilities): Mark[] {
  return (Object.keys(formats) as Mark[]).filter(
    (mark) =>
      formats[mark] === 'native' && !['mention', 'list', 'heading', 'code_block', 'quote'].includes(mark),
  );
}

/** Texts of up to `maxLength` UTF-16 units that begin and end with a letter. */
export function texts(maxLength: number): fc.Arbitrary<string> {
  return words.map((chosen) => {
    let text = 'a';
    for (const [piece, times] of chosen) {
      const next = `${piece} `.repeat(times);
      if (text.length + next.length >= maxLength) break;
      text += next;
    }
    return `${text}z`;
  });
}

/** A text with up to three separate spans, each around whole words. */
export function documents(maxLength: number, marks: readonly Mark[]): fc.Arbitrary<Content> {
  const styled = fc.array(fc.constantFrom(...marks, ...(marks.length === 0 ? (['bold'] as const) : [])), {
    maxLength: marks.length === 0 ? 0 : 3,
  });
  return fc.tuple(texts(maxLength), styled).map(([text, chosen]) => {
    const size = Math.floor(text.length / (chosen.length + 1));
    const spans = chosen.flatMap((mark, place): Span[] => {
      const [start, end] = [wordAt(text, place * size), wordAt(text, place * size + Math.ceil(size / 2))];
      return start < end ? [{ mark, start, end, ...targetOf(mark) }] : [];
    });
    return { text, spans, attachments: [] };
  });
}

const targetOf = (mark: Mark) => (mark === 'link' ? { value: 'https://example.com/page' } : {});

/** The start of the next word. */
function wordAt(text: string, from: number): number {
  const at = text.indexOf(' ', from);
  return at === -1 ? text.length : Math.min(at + 1, text.length);
}

const spanOf = (text: string, mark: Mark, piece: string): Span => {
  const start = text.indexOf(piece);
  return { mark, start, end: start + piece.length, ...targetOf(mark) };
};

/** Realistic documents that renderers often get wrong. */
export function formattingCorpus(marks: readonly Mark[]): readonly Content[] {
  const one = marks.map((mark) => {
    const text = 'before styled words after';
    return { text, spans: [spanOf(text, mark, 'styled words')], attachments: [] };
  });
  const outer = marks.find((mark) => mark === 'bold');
  const inner = marks.find((mark) => mark === 'italic');
  const nested = 'all of this, and this more';
  const both =
    outer === undefined || inner === undefined
      ? []
      : [
          {
            text: nested,
            spans: [spanOf(nested, outer, 'of this, and this'), spanOf(nested, inner, 'and this')],
            attachments: [],
          },
        ];
  const plain = [
    'Escapes: * _ ~ ` | > # \\ [x](y) <b>&lt;</b> &amp; {} () ! . -',
    '| head | head |\n|------|------|\n| cell | cell |',
    'עברית and English 123 ומספרים',
    '👩‍👩‍👧‍👦 🇩🇪 👍🏽 e\u0301 ✊🏿',
    '1. one\n2. two\n- three',
    'line\n\n\nline',
    '```not code',
    'a_b_c and 2*3*4 and ~~~ and ||',
    'https://example.com/a_b_c?x=1&y=*2*',
  ].map((text) => ({ text, spans: [], attachments: [] }));
  return [...one, ...both, ...plain];
}
