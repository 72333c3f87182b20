import type { Content, Mark, Span } from '../../../src/contract/index.js';

/**
 * Renders neutral content as Discord markdown (https://docs.discord.com/developers/reference#message-formatting). The
 * client's parser treats a backslash before any punctuation as an escape.
 */
export function renderMarkdown(content: Pick<Content, 'text' | 'spans'>): string {
  const { text } = content;
  return renderRange(text, 0, text.length, tidy(text, content.spans));
}

const fences: Readonly<Partial<Record<Mark, string>>> = {
  bold: '**',
  italic: '*',
  underline: '__',
  strike: '~~',
  spoiler: '||',
};
/** Marks without markup. Their text stays as it is. */
const plain: ReadonlySet<Mark> = new Set(['mention', 'list']);
const MAX_HEADING = 3;

/**
 * Sorts spans from the outermost to the innermost. Drops those that markdown cannot express: blank spans, and white
 * space at the edges of inline marks.
 */
function tidy(text: string, spans: readonly Span[]): Span[] {
  return spans
    .filter((span) => !plain.has(span.mark))
    .map((span) => (isTornHeading(text, span, spans) ? { ...span, mark: 'bold' as const } : span))
    .map((span) => (fences[span.mark] === undefined ? span : trimmed(text, span)))
    .filter((span) => span.start < span.end)
    .sort((a, b) => a.start - b.start || b.end - a.end || rank(a.mark) - rank(b.mark));
}

/** A heading is one whole line and may only lie in a quote. Any other heading is shown in bold. */
function isTornHeading(text: string, { mark, start, end }: Span, all: readonly Span[]): boolean {
  if (mark !== 'heading') return false;
  const line = text.slice(start, end);
  const ends = end === text.length || text[end] === '\n';
  if (!atLineStart(text, start) || !ends || line.includes('\n') || line.trim() !== line) return true;
  return all.some(
    (other) =>
      other.mark !== 'quote' &&
      !plain.has(other.mark) &&
      other.start <= start &&
      other.end >= end &&
      (other.start < start || other.end > end || other.mark === 'code_block'),
  );
}

/** A block encloses inline marks of the same extent. */
const rank = (mark: Mark): number =>
  mark === 'quote' ? 0 : mark === 'code_block' || mark === 'heading' ? 1 : mark === 'code' ? 3 : 2;

/** `** a **` is no markup for some marks, so blanks stay outside. */
function trimmed(text: string, span: Span): Span {
  const inner = text.slice(span.start, span.end);
  const start = span.start + (inner.length - inner.trimStart().length);
  return { ...span, start, end: Math.max(start, span.end - (inner.length - inner.trimEnd().length)) };
}

function renderRange(text: string, start: number, end: number, spans: readonly Span[]): string {
  let out = '';
  let at = start;
  for (let index = 0; index < spans.length; ) {
    const span = spans[index] as Span;
    const inside = spans.slice(index + 1).filter((other) => other.start < span.end);
    index += 1 + inside.length;
    // Crossing spans would break the markup. The part that sticks out loses its style.
    const nested = inside.map((other) => ({ ...other, end: Math.min(other.end, span.end) }));
    out += escapeText(text.slice(at, span.start), atLineStart(text, at));
    out += renderSpan(text, span, nested);
    at = span.end;
  }
  return out + escapeText(text.slice(at, end), atLineStart(text, at));
}

function renderSpan(text: string, span: Span, nested: readonly Span[]): string {
  const raw = text.slice(span.start, span.end);
  switch (span.mark) {
    case 'code':
      return inlineCode(raw);
    case 'code_block':
      return codeBlock(raw, span.value);
    case 'quote':
      return quote(text, span, renderRange(text, span.start, span.end, nested));
    case 'heading':
      return heading(span, renderRange(text, span.start, span.end, nested));
    case 'link':
      return link(raw, span.value, renderRange(text, span.start, span.end, nested));
    default: {
      const fence = fences[span.mark] ?? '';
      const same = nested.filter((other) => other.mark !== span.mark);
      return `${fence}${renderRange(text, span.start, span.end, same)}${fence}`;
    }
  }
}

/** The fence is longer than any in the code. Blanks separate a backtick at the edge from the fence. */
function inlineCode(code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

/** A code block cannot contain three backticks. A zero-width space between them keeps it whole. */
function codeBlock(code: string, language: string | undefined): string {
  const name = language !== undefined && /^[a-z0-9_+\-.#]+$/i.test(language) ? language : '';
  return `\`\`\`${name}\n${code.replaceAll('```', '`\u200b`\u200b`')}\n\`\`\``;
}

/** Discord has three heading levels. */
function heading({ value }: Span, inner: string): string {
  const level = Math.min(Math.max(Math.trunc(Number(value)) || 1, 1), MAX_HEADING);
  return `${'#'.repeat(level)} ${inner}`;
}

/** A quote consists of whole lines. */
function quote(text: string, span: Span, inner: string): string {
  const before = atLineStart(text, span.start) ? '' : '\n';
  const after =
    span.end === text.length || text[span.end] === '\n' || text[span.end - 1] === '\n' ? '' : '\n';
  const open = inner.endsWith('\n') ? inner.slice(0, -1) : inner;
  return `${before}${open.replaceAll(/^/gm, '> ')}${inner === open ? '' : '\n'}${after}`;
}

const isAddress = (target: string): boolean => /^https?:\/\/\S/i.test(target);

/** Whether the address of a link is lost: Discord links only to web pages. */
export const losesLink = (text: string, { mark, start, end, value }: Span): boolean =>
  mark === 'link' && value !== undefined && !isAddress(value) && value !== text.slice(start, end);

/** Discord shows no masked link whose label looks like a link, so label and address are written one after the other. */
function link(raw: string, target: string | undefined, label: string): string {
  if (target === undefined || !isAddress(target) || target === raw) return label;
  const url = target.replaceAll(/[()<>\s]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  );
  return /https?:\/\//i.test(raw) ? `${label} (<${url}>)` : `[${label}](${url})`;
}

const atLineStart = (text: string, at: number): boolean => at === 0 || text[at - 1] === '\n';

/** A bare link ends where Discord ends it. A backslash inside would become part of the address. */
const bareLink = /https?:\/\/[^\s<]*[^\s<>.,:;"')\]*_~|`\\]/g;

/** Escapes everything that Discord would read as markup or as a mention, outside of bare links. */
function escapeText(text: string, lineStart: boolean): string {
  let out = '';
  let at = 0;
  for (const match of text.matchAll(bareLink)) {
    out += escapeProse(text.slice(at, match.index), at === 0 && lineStart) + match[0];
    at = match.index + match[0].length;
  }
  return out + escapeProse(text.slice(at), at === 0 && lineStart);
}

function escapeProse(text: string, lineStart: boolean): string {
  const escaped = text.replaceAll(/[\\*_~`|<[\]@]/g, '\\$&');
  const block = /(^|\n)([ \t]*)(?:([>#-])|(\d+)\.)/g;
  return escaped.replaceAll(
    block,
    (all, before: string, blank: string, sign?: string, digits?: string, offset?: number) => {
      if (before === '' && offset === 0 && !lineStart) return all;
      return sign === undefined ? `${before}${blank}${digits}\\.` : `${before}${blank}\\${sign}`;
    },
  );
}
