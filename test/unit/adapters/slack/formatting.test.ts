import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blocksSchema, parseBlocks } from '../../../../adapters/slack/inbound/from-blocks.js';
import { renderBlocks } from '../../../../adapters/slack/outbound/to-blocks.js';
import { blocksProblem, plainText } from '../../../../adapters/slack/simulator/blocks.js';
import { type Content, type Mark, type Span, splitContent } from '../../../../src/contract/index.js';
import { documentRuns, documentsLimitMs } from '../../../support/documents.js';

interface Piece {
  readonly text: string;
  readonly spans: readonly Span[];
}

const plain = (text: string): Piece => ({ text, spans: [] });

function joined(pieces: readonly Piece[], separators: readonly string[] = []): Piece {
  let text = '';
  const spans: Span[] = [];
  pieces.forEach((piece, index) => {
    if (index > 0) text += separators[index - 1] ?? '';
    const at = text.length;
    spans.push(...piece.spans.map((span) => ({ ...span, start: span.start + at, end: span.end + at })));
    text += piece.text;
  });
  return { text, spans };
}

function marked(mark: Mark, { text, spans }: Piece, value?: string): Piece {
  const outer = { mark, start: 0, end: text.length, ...(value === undefined ? {} : { value }) };
  return { text, spans: [outer, ...spans] };
}

/** Characters that other dialects treat as markup, and characters that are hard to split. */
const unit = fc.constantFrom(
  ...['a', 'B', '7', ' ', '.', '*', '_', '~', '`', '```', '<', '>', '&', '&amp;', '|', '@here', '<!channel>'],
  ...[
    'é',
    'e\u0301',
    '👩‍👩‍👧',
    '👍🏽',
    '🇩🇪',
    'שלום',
    '\u202Eabc',
    ':wave:',
    '• ',
    '1. ',
    '# ',
    '[x](y)',
    '\\',
  ],
);
const words = fc.string({ unit, minLength: 1, maxLength: 12 });

const leaf: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 4, arbitrary: words.map(plain) },
  words.map((text) => marked('code', plain(text))),
  words.map((text) => marked('link', plain(text), 'https://x.example/?a=1&b=<2>')),
  fc.constant(marked('mention', plain('@Ann'), 'U1AA')),
);
const style = fc.constantFrom<Mark>('bold', 'italic', 'strike', 'underline', 'heading');
const inline: fc.Arbitrary<Piece> = fc.letrec<{ nested: Piece }>((tie) => ({
  nested: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(style, fc.array(tie('nested'), { minLength: 1, maxLength: 3 }))
      .map(([mark, pieces]) => marked(mark, joined(pieces))),
  ),
})).nested;
const line = fc.array(inline, { minLength: 1, maxLength: 4 }).map((pieces) => joined(pieces));
const lines = fc.array(line, { minLength: 1, maxLength: 3 }).map((all) =>
  joined(
    all,
    all.map(() => '\n'),
  ),
);

const item = fc.tuple(fc.nat(2), fc.option(fc.nat(20)), line).map(([level, number, piece]) => {
  const head = `${'  '.repeat(level)}${number === null ? '•' : `${number + 1}.`} `;
  return joined([plain(head), piece]);
});
const list = fc.array(item, { minLength: 1, maxLength: 5 }).map((all) =>
  marked(
    'list',
    joined(
      all,
      all.map(() => '\n'),
    ),
  ),
);
const code = fc
  .tuple(fc.array(words, { minLength: 1, maxLength: 3 }), fc.option(fc.constantFrom('ts', 'sh')))
  .map(([all, language]) => marked('code_block', plain(all.join('\n')), language ?? undefined));
const box = fc.oneof(list, code);
const quote = fc.oneof(lines, box).map((piece) => marked('quote', piece));
const block = fc.oneof({ weight: 2, arbitrary: lines }, box, quote);
const document = fc
  .tuple(
    fc.array(block, { minLength: 1, maxLength: 6 }),
    fc.array(fc.constantFrom('\n', '\n\n'), { minLength: 6, maxLength: 6 }),
  )
  .map(([blocks, separators]): Content => ({ ...joined(blocks, separators), attachments: [] }));

/** The marks of each character except line breaks, however the spans are split or joined. */
function looks({ text, spans }: Piece): string[] {
  const shown: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\n') continue;
    const here = spans.filter(({ start, end }) => start <= at && end > at);
    const named = here.map(({ mark, value }) =>
      mark === 'heading' ? 'bold' : `${mark} ${value ?? ''}`.trim(),
    );
    shown.push(`${at} ${[...new Set(named)].sort().join()}`);
  }
  return shown;
}

const names = { user: (id: string) => (id === 'U1AA' ? 'Ann' : undefined), channel: () => undefined };

it(
  'documents come back from Slack as they went, text and looks',
  () => {
    fc.assert(
      fc.property(document, (content) => {
        const { blocks, lost } = renderBlocks(content);
        expect(lost.size).toBe(0);
        expect(blocksProblem(blocks as never)).toBeUndefined();
        expect(plainText(blocks, () => 'Ann')).toBe(content.text);
        const parsed = parseBlocks(blocksSchema.parse(JSON.parse(JSON.stringify(blocks))), names);
        expect(parsed.text).toBe(content.text);
        expect(looks(parsed)).toEqual(looks(content));
        expect(isNested(parsed.spans)).toBe(true);
      }),
      { numRuns: documentRuns },
    );
  },
  documentsLimitMs,
);

it(
  'parts of a long document keep its whole text and cut no grapheme, link, mention or code',
  () => {
    const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
    fc.assert(
      fc.property(document, fc.integer({ min: 40, max: 120 }), (content, max) => {
        const parts = splitContent(content, max, 'utf16');
        expect(parts.map(({ text }) => text).join('')).toBe(content.text);
        const boundaries = new Set(Array.from(graphemes.segment(content.text), ({ index }) => index));
        const kept = content.spans.filter(
          ({ mark, start, end }) => whole.has(mark) && end - start <= max / 2,
        );
        let at = 0;
        for (const part of parts) {
          const cut = kept.filter(({ start, end }) => start < at && end > at);
          expect([part.text.length <= max, boundaries.has(at), cut]).toEqual([true, true, []]);
          at += part.text.length;
          const shown = plainText(renderBlocks(part).blocks, () => 'Ann');
          // The message ends after its last code block, quote or list, so a final line break makes no difference.
          expect([part.text, part.text.replace(/\n$/, '')]).toContain(shown);
        }
      }),
      { numRuns: documentRuns },
    );
  },
  documentsLimitMs,
);

const whole = new Set<Mark>(['link', 'mention', 'code', 'code_block']);

function isNested(spans: readonly Span[]): boolean {
  return spans.every((a) => spans.every((b) => !(a.start < b.start && b.start < a.end && a.end < b.end)));
}
