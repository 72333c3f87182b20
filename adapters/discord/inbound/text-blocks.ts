import type { Content, Span } from '../../../src/contract/index.js';

/** A neutral text with its spans. */
export type TextBlock = Pick<Content, 'text' | 'spans'>;

export const plainBlock = (text: string): TextBlock => ({ text, spans: [] });

/** Joins blocks with line breaks. Empty blocks add no line. */
export function stackBlocks(blocks: readonly TextBlock[]): TextBlock {
  let text = '';
  const spans: Span[] = [];
  for (const block of blocks) {
    if (block.text === '') continue;
    if (text !== '') text += '\n';
    spans.push(...shifted(block.spans, text.length));
    text += block.text;
  }
  return { text, spans };
}

/** Quotes a block below a line that names its origin. Quotes do not nest. */
export function quoteBlock(block: TextBlock, origin: string | undefined): TextBlock {
  const { text, spans } = stackBlocks([plainBlock(headOf(block, origin)), block]);
  if (text === '') return block;
  return {
    text,
    spans: [{ mark: 'quote', start: 0, end: text.length }, ...spans.filter(({ mark }) => mark !== 'quote')],
  };
}

function headOf({ text }: TextBlock, origin: string | undefined): string {
  if (origin === undefined) return '';
  return text === '' ? `Forwarded from ${origin}` : `Forwarded from ${origin}:`;
}

const shifted = (spans: readonly Span[], by: number): Span[] =>
  spans.map((span) => ({ ...span, start: span.start + by, end: span.end + by }));
