import type { Content, Mark, Span } from '../../../src/contract/index.js';
import { isSpace, isWord } from '../inbound/from-mrkdwn.js';

/** Rendered text, and the marks that it could not show everywhere. */
export interface RenderedText {
  readonly text: string;
  readonly lost: ReadonlySet<Mark>;
}

/** A range of text with its surrounding characters. An atom replaces its text and contains nothing else. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly open: string;
  readonly atom?: string;
}

const styleMarks: Readonly<Partial<Record<Mark, string>>> = {
  bold: '*',
  heading: '*',
  italic: '_',
  strike: '~',
};

/** Renders mrkdwn without losing text. A mark that mrkdwn cannot show at its place is left out and listed in `lost`. */
export function renderMrkdwn({ text, spans }: Content): RenderedText {
  const lost = new Set<Mark>();
  const atoms = atomPieces(text, spans, lost);
  const quoted = quotedLines(text, spans, atoms, lost);
  const pieces = [...atoms, ...stylePieces(text, spans, atoms, lost)];
  return { text: emit(text, pieces, quoted), lost };
}

/** Escapes `& < >`, the only special characters (docs.slack.dev/messaging/formatting-message-text#escaping). */
export function escapeText(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function atomPieces(text: string, spans: readonly Span[], lost: Set<Mark>): Piece[] {
  const atoms: Piece[] = [];
  for (const span of spans) {
    const render = atomRenderers[span.mark];
    if (render === undefined) continue;
    const atom = render(text.slice(span.start, span.end), span.value ?? '');
    if (atom === undefined || atoms.some((other) => span.start < other.end && span.end > other.start))
      lost.add(span.mark);
    else atoms.push({ start: span.start, end: span.end, open: '', atom });
  }
  return atoms;
}

const atomRenderers: Readonly<Partial<Record<Mark, (inner: string, value: string) => string | undefined>>> = {
  code: (inner) => (/[`\n]/.test(inner) || inner.trim() === '' ? undefined : `\`${escapeText(inner)}\``),
  code_block: (inner) => (/```|^`|`$/.test(inner) ? undefined : `\`\`\`${escapeText(inner)}\`\`\``),
  // An id of another platform must not become a broken mention.
  mention: (_, value) => (/^[UW][A-Z0-9]{2,}$/.test(value) ? `<@${value}>` : undefined),
  link: (inner, value) => {
    if (!/^(https?|mailto|tel):\S+$/i.test(value) || inner.includes('\n') || inner.trim() === '')
      return undefined;
    const url = escapeText(value.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E'));
    return inner === value ? `<${url}>` : `<${url}|${escapeText(inner)}>`;
  },
};

/** Offsets of lines that get a quote sign. */
function quotedLines(
  text: string,
  spans: readonly Span[],
  atoms: readonly Piece[],
  lost: Set<Mark>,
): ReadonlySet<number> {
  const starts = new Set<number>();
  for (const { mark, start, end } of spans) {
    if (mark !== 'quote') continue;
    const wholeLines =
      (start === 0 || text[start - 1] === '\n') &&
      (end === text.length || text[end] === '\n' || text[end - 1] === '\n');
    if (!wholeLines) lost.add('quote');
    else for (const at of lineStarts(text, start, end)) if (!isInside(at, atoms)) starts.add(at);
  }
  return starts;
}

function lineStarts(text: string, start: number, end: number): number[] {
  const starts = [start];
  for (let at = text.indexOf('\n', start); at >= 0 && at + 1 < end; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  return starts;
}

function isInside(at: number, atoms: readonly Piece[]): boolean {
  return atoms.some((atom) => at > atom.start && at < atom.end);
}

function stylePieces(
  text: string,
  spans: readonly Span[],
  atoms: readonly Piece[],
  lost: Set<Mark>,
): Piece[] {
  const pieces: Piece[] = [];
  for (const span of spans) {
    const open = styleMarks[span.mark];
    if (open === undefined && atomRenderers[span.mark] === undefined && span.mark !== 'quote')
      lost.add(span.mark);
    if (open === undefined) continue;
    for (const piece of styledLines(text, span, open)) {
      if (pieces.some((other) => other.open === open && other.start <= piece.start && other.end >= piece.end))
        continue;
      if (canStyle(text, piece, atoms) && !pieces.some((other) => crosses(piece, other))) pieces.push(piece);
      else lost.add(span.mark);
    }
  }
  return pieces;
}

/** A Slack style ends with its line and needs a visible character at both ends. */
function styledLines(text: string, span: Span, open: string): Piece[] {
  const pieces: Piece[] = [];
  for (const start of lineStarts(text, span.start, span.end)) {
    const newline = text.indexOf('\n', start);
    const piece = { start, end: newline < 0 ? span.end : Math.min(newline, span.end), open };
    while (piece.start < piece.end && isSpace(text[piece.start])) piece.start += 1;
    while (piece.end > piece.start && isSpace(text[piece.end - 1])) piece.end -= 1;
    if (piece.end > piece.start) pieces.push(piece);
  }
  return pieces;
}

function canStyle(text: string, { start, end, open }: Piece, atoms: readonly Piece[]): boolean {
  if (isWord(text[start - 1]) || isWord(text[end])) return false;
  if (text.slice(start, end).includes(open)) return false;
  return !atoms.some((atom) => {
    const holdsAtom = start <= atom.start && end >= atom.end;
    return start < atom.end && end > atom.start && !holdsAtom;
  });
}

function crosses(a: Piece, b: Piece): boolean {
  return (
    (a.start < b.start && b.start < a.end && a.end < b.end) ||
    (b.start < a.start && a.start < b.end && b.end < a.end)
  );
}

function emit(text: string, pieces: readonly Piece[], quoted: ReadonlySet<number>): string {
  if (pieces.length === 0 && quoted.size === 0) return escapeText(text);
  const outerFirst = [...pieces].sort(
    (a, b) =>
      a.start - b.start || b.end - a.end || Number(a.atom !== undefined) - Number(b.atom !== undefined),
  );
  const edges = new Set([0, text.length, ...quoted, ...pieces.flatMap(({ start, end }) => [start, end])]);
  const positions = [...edges].sort((a, b) => a - b);
  const open: Piece[] = [];
  let next = 0;
  let out = '';
  positions.forEach((at, index) => {
    for (let top = open.at(-1); top !== undefined && top.end === at; top = open.at(-1)) {
      out += open.pop()?.open ?? '';
    }
    if (quoted.has(at)) out += '&gt; ';
    for (let piece = outerFirst[next]; piece?.start === at; piece = outerFirst[next]) {
      out += piece.atom ?? piece.open;
      open.push(piece);
      next += 1;
    }
    if (open.at(-1)?.atom === undefined) out += escapeText(text.slice(at, positions[index + 1] ?? at));
  });
  return out;
}
