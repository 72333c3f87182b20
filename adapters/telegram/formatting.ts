import type { MessageEntity } from 'grammy/types';
import type { Mark, Span } from '../../src/contract/index.js';
import type { EntityPayload } from './inbound/update.js';
import { omitUndefined } from './omit-undefined.js';

/** Spans ↔ message entities (https://core.telegram.org/bots/api#messageentity); both count UTF-16 code units. */

const marks: Readonly<Record<string, Mark>> = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  strikethrough: 'strike',
  spoiler: 'spoiler',
  code: 'code',
  pre: 'code_block',
  blockquote: 'quote',
  expandable_blockquote: 'quote',
  text_link: 'link',
  mention: 'mention',
  text_mention: 'mention',
};

/**
 * Converts entities of a received text to neutral spans. Entities that are out of range, empty, crossing or without a
 * mark are left out.
 */
export function spansOf(text: string, entities: readonly (EntityPayload | null)[]): Span[] {
  const spans: Span[] = [];
  for (const entity of entities) {
    const span = entity === null ? undefined : spanOf(text, entity);
    if (span !== undefined) spans.push(span);
  }
  return nested(spans);
}

function spanOf(text: string, entity: EntityPayload): Span | undefined {
  const mark = Object.hasOwn(marks, entity.type) ? marks[entity.type] : undefined;
  const start = entity.offset;
  const end = Math.min(text.length, start + entity.length);
  if (mark === undefined || start < 0 || end <= start) return undefined;
  if (entity.type === 'text_link' && entity.url === undefined) return undefined;
  return omitUndefined({
    mark,
    start,
    end,
    value: entity.url ?? entity.language ?? entity.user?.id.toString(),
  });
}

const byStart = (a: Span, b: Span) => a.start - b.start || b.end - a.end;

/** Sorts the spans and drops those that cross an earlier one. */
function nested(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  const open: Span[] = [];
  for (const span of [...spans].sort(byStart)) {
    while (open.length > 0 && open.at(-1)!.end <= span.start) open.pop();
    const outer = open.at(-1);
    if (outer !== undefined && span.end > outer.end) continue;
    open.push(span);
    kept.push(span);
  }
  return kept;
}

export interface Rendered {
  readonly entities: readonly MessageEntity[];
  /** Marks that Telegram cannot show. */
  readonly lost: readonly Mark[];
}

/** Marks that exclude each other. Inside code no other mark may begin. */
const atomic = new Set<Mark>(['link', 'mention', 'code', 'code_block']);

/**
 * Converts spans to entities within Telegram's nesting rules: links, mentions and code never contain each other, quotes
 * never contain quotes, and code interrupts styles.
 */
export function entitiesOf(text: string, spans: readonly Span[]): Rendered {
  const lost = new Set<Mark>();
  const ordered = [...spans].sort(byStart);
  const solid: Span[] = [];
  const entities: MessageEntity[] = [];
  const place = (span: Span, entity: MessageEntity | undefined, rivals: readonly Span[]) => {
    if (entity === undefined || rivals.some((rival) => overlaps(rival, span)))
      return void lost.add(span.mark);
    solid.push(span);
    entities.push(entity);
  };
  for (const span of ordered.filter(({ mark }) => atomic.has(mark))) {
    // Telegram recognises such a name without an entity.
    if (span.mark === 'mention' && span.value === undefined && text[span.start] === '@') continue;
    place(span, atomicEntity(span), solid);
  }
  const code = solid.filter(({ mark }) => mark === 'code' || mark === 'code_block');
  const quotes: Span[] = [];
  for (const span of ordered.filter(({ mark }) => mark === 'quote')) {
    if (quotes.some((quote) => overlaps(quote, span))) lost.add(span.mark);
    else quotes.push(span);
  }
  entities.push(...quotes.map((span) => ({ type: 'blockquote' as const, ...range(span) })));
  for (const span of ordered.filter(({ mark }) => !atomic.has(mark) && mark !== 'quote')) {
    const type = styles[span.mark];
    if (type === undefined) lost.add(span.mark);
    else
      for (const piece of without(span, code).flatMap((one) => uncrossed(one, quotes)))
        entities.push({ type, ...range(piece) });
  }
  return { entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length), lost: [...lost] };
}

const styles: Partial<Record<Mark, 'bold' | 'italic' | 'underline' | 'strikethrough' | 'spoiler'>> = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  strike: 'strikethrough',
  spoiler: 'spoiler',
  heading: 'bold',
};

interface Stretch {
  readonly start: number;
  readonly end: number;
}

const range = ({ start, end }: Stretch) => ({ offset: start, length: end - start });

const overlaps = (a: Stretch, b: Stretch) => a.start < b.end && b.start < a.end;

/** Ids have at most 52 significant bits, so the account id of another platform rarely passes as a Telegram id. */
const MAX_USER_ID = 2 ** 52;

function atomicEntity(span: Span): MessageEntity | undefined {
  switch (span.mark) {
    case 'code':
      return { type: 'code', ...range(span) };
    case 'code_block':
      return omitUndefined({ type: 'pre' as const, ...range(span), language: span.value || undefined });
    case 'link':
      // Telegram drops other schemes, or pings a person, as with tg://user.
      return span.value !== undefined && /^https?:\/\/\S+$/i.test(span.value)
        ? { type: 'text_link', ...range(span), url: span.value }
        : undefined;
    default:
      return mentionEntity(span);
  }
}

function mentionEntity(span: Span): MessageEntity | undefined {
  const userId = /^[1-9]\d{0,15}$/.test(span.value ?? '') ? Number(span.value) : Number.NaN;
  if (!(userId < MAX_USER_ID)) return undefined;
  // The server reads only the id. The type requires the other members.
  return { type: 'text_mention', ...range(span), user: { id: userId, is_bot: false, first_name: '' } };
}

/** Cuts holes out of a span. The holes do not overlap. */
function without(span: Span, holes: readonly Span[]): Stretch[] {
  const pieces: Stretch[] = [];
  let start = span.start;
  for (const hole of holes) {
    if (!overlaps(hole, span)) continue;
    if (hole.start > start) pieces.push({ start, end: hole.start });
    start = Math.max(start, hole.end);
  }
  if (start < span.end) pieces.push({ start, end: span.end });
  return pieces;
}

/** Cuts a piece at the borders of quotes that are partly outside it: entities nest and never cross. */
function uncrossed(piece: Stretch, quotes: readonly Stretch[]): Stretch[] {
  const isInside = (at: number) => at > piece.start && at < piece.end;
  const cuts = quotes.flatMap(({ start, end }) => {
    if (start < piece.start && isInside(end)) return [end];
    return end > piece.end && isInside(start) ? [start] : [];
  });
  const edges = [piece.start, ...new Set(cuts), piece.end].sort((a, b) => a - b);
  return edges.slice(1).map((end, index) => ({ start: edges[index] ?? piece.start, end }));
}
