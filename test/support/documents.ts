import fc from 'fast-check';
import type { Mark, Span } from '../../src/contract/index.js';

/** The number of generated documents; more on demand: `DOCUMENTS=100000`. */
export const documentRuns = Number(process.env.DOCUMENTS ?? 500);
/** Time limit for all of them, also on a busy machine. */
export const documentsLimitMs = Math.max(20_000, documentRuns * 60);

export interface Document {
  readonly text: string;
  readonly spans: readonly Span[];
}

const plainWord = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-zA-Z0-9äß]{1,12}$/) },
  // Characters that could be mistaken for markup, a mention or the start of a block.
  { weight: 2, arbitrary: fc.stringMatching(/^[*_~|`<>@#[\]()\\.,:;!-]{1,6}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '👩‍👩‍👧',
      'مرحبا',
      '漢字',
      'e\u0301',
      '1.',
      '-',
      '>',
      '>>>',
      '#',
      '-#',
      '@everyone',
      '<@1>',
      'a_b_c',
    ),
  },
);
const innerWord = fc.stringMatching(/^[a-zA-Z0-9äß.,!?*_~|\\]{0,8}[a-zA-Z0-9]$/);
const words = (word: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<Document> =>
  fc.array(word, { minLength: 1, maxLength: maxLength }).map((all) => ({ text: all.join(' '), spans: [] }));

export const joined = (pieces: readonly Document[], between: string): Document => {
  const spans: Span[] = [];
  let text = '';
  for (const [place, piece] of pieces.entries()) {
    if (place > 0) text += between;
    for (const each of piece.spans)
      spans.push({ ...each, start: each.start + text.length, end: each.end + text.length });
    text += piece.text;
  }
  return { text, spans };
};
const marked = (mark: Mark, { text, spans }: Document, value?: string): Document => ({
  text,
  spans: [{ mark, start: 0, end: text.length, ...(value === undefined ? {} : { value }) }, ...spans],
});

/** Nested marks around words, each at most once. */
const styled = fc
  .tuple(
    words(innerWord, 4),
    fc.uniqueArray(fc.constantFrom<Mark>('bold', 'italic', 'underline', 'strike', 'spoiler'), {
      maxLength: 3,
    }),
  )
  .map(([document, marks]) => marks.reduce((inner, mark) => marked(mark, inner), document));
const code = fc.stringMatching(/^[a-z*_~|<>@#\\]{1,20}$/).map((text) => marked('code', { text, spans: [] }));
const link = fc
  .tuple(words(innerWord, 3), fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }))
  .filter(([, url]) => !/[()<>\s"'\\]/.test(url))
  .map(([label, url]) => marked('link', label, url));
const line = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: words(plainWord, 6) },
      { weight: 3, arbitrary: styled },
      { weight: 1, arbitrary: code },
      { weight: 1, arbitrary: link },
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((pieces) => joined(pieces, ' '));
const paragraph = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => joined(lines, '\n'));
const heading = fc
  .tuple(fc.oneof(words(innerWord, 5), styled), fc.integer({ min: 1, max: 3 }))
  .map(([document, level]) => marked('heading', document, String(level)));
const quote = paragraph.map((document) => marked('quote', document));
const codeBlock = fc
  .tuple(
    fc.array(fc.stringMatching(/^[a-z0-9 *_|<>@#]{1,30}$/), { minLength: 1, maxLength: 5 }),
    fc.constantFrom('js', undefined),
  )
  .map(([lines, language]) => marked('code_block', { text: lines.join('\n'), spans: [] }, language));
/** Texts of up to this many blocks, with nested marks as people and clients write them. */
export const documents = (maxLength: number): fc.Arbitrary<Document> =>
  fc
    .array(fc.oneof({ weight: 4, arbitrary: paragraph }, heading, quote, codeBlock), {
      minLength: 1,
      maxLength: maxLength,
    })
    .map((blocks) => joined(blocks, '\n\n'));

/** The marks of each character except white space, however the spans are split or joined. `as` renames marks. */
export function looksOf({ text, spans }: Document, as: Readonly<Partial<Record<Mark, Mark>>> = {}): string[] {
  const shown: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (/\s/.test(text[at] ?? '')) continue;
    const here = spans.filter(({ start, end }) => start <= at && end > at);
    const named = here.map(({ mark, value }) =>
      `${as[mark] ?? mark} ${mark === 'link' ? (value ?? '') : ''}`.trim(),
    );
    shown.push(`${at} ${[...new Set(named)].sort().join()}`);
  }
  return shown;
}
