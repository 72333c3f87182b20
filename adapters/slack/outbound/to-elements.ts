import type { JsonObject, Mark, Span } from '../../../src/contract/index.js';

type Style = 'bold' | 'italic' | 'strike' | 'code' | 'underline';

const styles: Readonly<Partial<Record<Mark, Style>>> = {
  bold: 'bold',
  heading: 'bold',
  italic: 'italic',
  strike: 'strike',
  code: 'code',
  underline: 'underline',
};

/** Maximum length of an address in a link or button (docs.slack.dev/reference/block-kit). */
const MAX_URL_LENGTH = 3_000;

/** The text from `start` to `end` as elements of a section. Never empty, because Slack refuses empty sections. */
export function inlineElements(
  text: string,
  spans: readonly Span[],
  start: number,
  end: number,
  lost: Set<Mark>,
): JsonObject[] {
  const inside = spans.filter((span) => span.start < end && span.end > start);
  const mentions = inside.filter((span) => isWhole(span, start, end) && isMention(span));
  for (const span of inside) if (isLost(span, mentions)) lost.add(span.mark);
  const edges = [start, end, ...inside.flatMap((span) => [span.start, span.end])];
  const cuts = [...new Set(edges)]
    .filter((at) => at >= start && at <= end && !mentions.some((span) => at > span.start && at < span.end))
    .sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, index) => {
    const to = cuts[index + 1] ?? from;
    const marks = inside.filter((span) => span.start <= from && span.end >= to);
    const mention = mentions.find((span) => span.start === from);
    return element(text.slice(from, to), marks, mention);
  });
}

function isWhole(span: Span, start: number, end: number): boolean {
  return span.start >= start && span.end <= end;
}

/** An id of another platform must not become a broken mention. */
function isMention({ mark, value = '' }: Span): boolean {
  return mark === 'mention' && /^[UW][A-Z0-9]{2,}$/.test(value);
}

function isLost(span: Span, mentions: readonly Span[]): boolean {
  if (span.mark === 'mention') return !mentions.includes(span);
  return span.mark === 'link' && urlOf(span) === undefined;
}

function urlOf({ mark, value = '' }: Span): string | undefined {
  const fits = mark === 'link' && value.length <= MAX_URL_LENGTH && /^(https?|mailto|tel):\S+$/i.test(value);
  return fits ? value : undefined;
}

function element(text: string, marks: readonly Span[], mention: Span | undefined): JsonObject {
  const names = marks.map(({ mark }) => styles[mark]).filter((name) => name !== undefined);
  const style = names.length === 0 ? {} : { style: Object.fromEntries(names.map((name) => [name, true])) };
  if (mention !== undefined) return { type: 'user', user_id: mention.value, ...withoutCode(style) };
  const url = marks.map(urlOf).find((value) => value !== undefined);
  if (url === undefined) return { type: 'text', text, ...style };
  return { type: 'link', url, ...(text === url ? {} : { text }), ...style };
}

/** A user element cannot have the code style (docs.slack.dev/reference/block-kit/block-elements/user-element). */
function withoutCode({ style }: { readonly style?: JsonObject }): JsonObject {
  const { code: _, ...rest } = style ?? {};
  return Object.keys(rest).length === 0 ? {} : { style: rest };
}
