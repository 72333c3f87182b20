import type { TextUnit } from '../capabilities.js';
import type { Content, Span } from '../content.js';
import { textLength } from './measure.js';

/** Maximum number of platform parts of one message. A message with more parts is refused as `too_long`. */
export const MAX_PARTS = 10;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Splits content into parts of at most `max` in `unit`. The joined texts of the parts equal the input, no grapheme is cut,
 * and each span continues in the parts that it covers. A part ends at the last paragraph, line or word end in its second
 * half. A link, mention or code span is not cut if it fits in the next part. `max` null: one part.
 */
export function splitContent(content: Content, max: number | null, unit: TextUnit): Content[] {
  const { text, spans } = content;
  if (max === null || textLength(text, unit) <= max) return [content];
  const parts: Content[] = [];
  let start = 0;
  while (start < text.length) {
    const end = cutAt(text, start, max, unit, spans);
    parts.push({ text: text.slice(start, end), spans: spansWithin(spans, start, end), attachments: [] });
    start = end;
  }
  const [first, ...rest] = parts;
  return first === undefined ? [content] : [{ ...first, attachments: content.attachments }, ...rest];
}

/** The content from `start` to the end, without attachments. */
export function sliceContent({ text, spans }: Content, start: number): Content {
  return { text: text.slice(start), spans: spansWithin(spans, start, text.length), attachments: [] };
}

/** Truncates a text to `max`, at a grapheme boundary, or at a character boundary if the first grapheme is longer. */
export function shortened(text: string, max: number, unit: TextUnit): string {
  return text.slice(0, Math.min(longestFit(text, 0, max, unit), furthest(text, 0, max, unit)));
}

function cutAt(text: string, start: number, max: number, unit: TextUnit, spans: readonly Span[]): number {
  const hard = longestFit(text, start, max, unit);
  if (hard >= text.length) return hard;
  const soft = softBreak(text, start, hard);
  return outsideUncuttable(text, spans, start, soft) ?? outsideUncuttable(text, spans, start, hard) ?? soft;
}

/** The last grapheme boundary that fits. At least one grapheme is taken, so that the split always makes progress. */
function longestFit(text: string, start: number, max: number, unit: TextUnit): number {
  const reach = furthest(text, start, max, unit);
  if (reach >= text.length) return text.length;
  const end = lastBoundary(text, start, reach);
  return end > start ? end : start + firstGrapheme(text.slice(start)).length;
}

/**
 * The end of the longest run of whole code points that fits. In GSM-7, a single character outside the alphabet makes the
 * whole part count in UTF-16 units. The sum over single characters is at least as large as either count, so every shorter
 * part fits, too.
 */
function furthest(text: string, start: number, max: number, unit: TextUnit): number {
  if (unit === 'utf16') return start + max - (splitsPair(text, start + max) ? 1 : 0);
  let end = start;
  let length = 0;
  while (end < text.length) {
    const character = characterAt(text, end);
    length += textLength(character, unit);
    if (length > max) break;
    end += character.length;
  }
  return end;
}

function splitsPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xff_ff;
}

/**
 * Characters that never share a grapheme with a neighbour of this kind (UAX #29: neither marks, nor joiners, nor
 * conjoining letters, nor parts of emoji).
 */
const PLAIN =
  /^(?:[\n\x20-\x7E]|(?=\p{L})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Arabic}\p{Script=Hebrew}])$/u;

/** The last grapheme boundary from `start` to `reach`. Segmentation is slow, so it begins at the last certain boundary. */
function lastBoundary(text: string, start: number, reach: number): number {
  const certain = certainBoundary(text, start, reach);
  if (certain === reach) return reach;
  // The character after `reach` determines whether there is a boundary before it.
  let last = certain;
  for (const { index } of graphemes.segment(text.slice(certain, reach + 2))) {
    if (certain + index <= reach) last = certain + index;
  }
  return last;
}

/** The last position up to `reach` between two plain characters, or `start`. */
function certainBoundary(text: string, start: number, reach: number): number {
  let after = PLAIN.test(characterAt(text, reach));
  for (let at = reach; at > start; ) {
    const before = characterBefore(text, at);
    const plain = PLAIN.test(before);
    if (plain && after) return at;
    after = plain;
    at -= before.length;
  }
  return start;
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function characterBefore(text: string, at: number): string {
  return splitsPair(text, at - 1) ? text.slice(at - 2, at) : text.charAt(at - 1);
}

function firstGrapheme(text: string): string {
  for (const { segment } of graphemes.segment(text)) return segment;
  return text;
}

function softBreak(text: string, start: number, hard: number): number {
  const floor = start + Math.max(1, Math.floor((hard - start) / 2));
  for (const mark of ['\n\n', '\n', ' ']) {
    let at = text.lastIndexOf(mark, hard - mark.length);
    while (at >= floor && !standsAlone(text, at + mark.length - 1)) at = text.lastIndexOf(mark, at - 1);
    if (at >= floor) return at + mark.length;
  }
  return hard;
}

/** Whether the character is a grapheme. A space may have a combining accent, which must not be separated from it. */
function standsAlone(text: string, at: number): boolean {
  return firstGrapheme(text.slice(at, at + 3)).length === 1;
}

/**
 * Returns `at`, or the last grapheme boundary before the link, mention or code span that `at` would cut. Undefined if the
 * part would then be empty.
 */
function outsideUncuttable(
  text: string,
  spans: readonly Span[],
  start: number,
  at: number,
): number | undefined {
  const cut = spans.filter(
    (span) =>
      (span.mark === 'link' ||
        span.mark === 'mention' ||
        span.mark === 'code' ||
        span.mark === 'code_block') &&
      span.start < at &&
      span.end > at,
  );
  if (cut.length === 0) return at > start ? at : undefined;
  const before = lastBoundary(text, start, Math.min(...cut.map((span) => span.start)));
  return before > start ? outsideUncuttable(text, spans, start, before) : undefined;
}

function spansWithin(spans: readonly Span[], start: number, end: number): Span[] {
  return spans
    .filter((span) => span.start < end && span.end > start)
    .map((span) => ({
      ...span,
      start: Math.max(span.start, start) - start,
      end: Math.min(span.end, end) - start,
    }));
}
