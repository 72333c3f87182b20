import type { Content, JsonObject, Mark, Span } from '../../../src/contract/index.js';
import { inlineElements } from './to-elements.js';

/** A rich_text block, and the marks that it could not show everywhere. */
export interface RenderedBlocks {
  readonly blocks: readonly JsonObject[];
  readonly lost: ReadonlySet<Mark>;
}

/** A range of the text that becomes one or more elements of the block. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly code?: Span;
  readonly list?: boolean;
  readonly quote: boolean;
}

/** One list line: two spaces per level, `•` or a number, and at least one character. */
const ITEM = /^((?: {2}){0,8})(?:(•)|(\d{1,4})\.) (.+)$/;

/**
 * Renders content like Slack's own composer (docs.slack.dev/reference/block-kit/blocks/rich-text-block). Text is never
 * parsed as markup there. A code block, quote or list implies line breaks around it. The line break after it is left
 * out, the one before it stays.
 */
export function renderBlocks({ text, spans }: Content): RenderedBlocks {
  const lost = new Set<Mark>(spans.filter(({ mark }) => mark === 'spoiler').map(({ mark }) => mark));
  const elements: JsonObject[] = [];
  let afterBlock = false;
  for (const region of regionsOf(text, spans, lost)) {
    const plain = !isBlock(region);
    const skip = afterBlock && plain && text[region.start] === '\n' ? 1 : 0;
    if (region.start + skip < region.end)
      elements.push(...elementsOf(text, spans, { ...region, start: region.start + skip }, lost));
    afterBlock = !plain;
  }
  return { blocks: elements.length === 0 ? [] : [{ type: 'rich_text', elements }], lost };
}

function isBlock({ code, list, quote }: Region): boolean {
  return code !== undefined || list === true || quote;
}

/** Splits the whole text at the borders of code blocks, lists and quotes. */
function regionsOf(text: string, spans: readonly Span[], lost: Set<Mark>): Region[] {
  const codes = ranges(text, spans, 'code_block');
  const lists = ranges(text, spans, 'list').filter((span) => {
    const listed = isListed(text, span) && !codes.some((code) => overlap(code, span));
    if (!listed) lost.add('list');
    return listed;
  });
  const quotes = ranges(text, spans, 'quote');
  const edges = [...codes, ...lists, ...quotes].flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set([0, ...edges, text.length])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((start, index) => {
    const end = cuts[index + 1] ?? start;
    const within = (span: Span) => span.start <= start && span.end >= end;
    const code = codes.find(within);
    const quote = quotes.some(within);
    // A partial list is not rendered as a list: its first line may begin in the middle.
    const list = lists.some(within) && isListed(text, { start, end });
    return { start, end, quote, ...(code === undefined ? {} : { code }), ...(list ? { list } : {}) };
  });
}

/** Spans of a mark without line breaks at their ends. Of overlapping spans the first one counts. */
function ranges(text: string, spans: readonly Span[], mark: Mark): Span[] {
  const found: Span[] = [];
  for (const span of spans) {
    if (span.mark !== mark) continue;
    let { end } = span;
    while (end > span.start + 1 && text[end - 1] === '\n') end -= 1;
    if (!found.some((other) => overlap(other, span))) found.push({ ...span, end });
  }
  return found;
}

function overlap(a: Pick<Span, 'start' | 'end'>, b: Pick<Span, 'start' | 'end'>): boolean {
  return a.start < b.end && b.start < a.end;
}

function isListed(text: string, { start, end }: Pick<Span, 'start' | 'end'>): boolean {
  const wholeLines = (start === 0 || text[start - 1] === '\n') && (end === text.length || text[end] === '\n');
  return (
    wholeLines &&
    text
      .slice(start, end)
      .split('\n')
      .every((line) => ITEM.test(line))
  );
}

function elementsOf(text: string, spans: readonly Span[], region: Region, lost: Set<Mark>): JsonObject[] {
  const { start, end, code, list, quote } = region;
  const border = quote ? { border: 1 } : {};
  if (code !== undefined) {
    for (const span of spans) if (overlap(span, region) && !shownAround.has(span.mark)) lost.add(span.mark);
    const language = code.value === undefined || code.value === '' ? {} : { language: code.value };
    const elements = [{ type: 'text', text: text.slice(start, end) }];
    return [{ type: 'rich_text_preformatted', elements, ...border, ...language }];
  }
  if (list === true) return listElements(text, spans, region, border, lost);
  const type = quote ? 'rich_text_quote' : 'rich_text_section';
  return [{ type, elements: inlineElements(text, spans, start, end, lost) }];
}

/** The marks that may contain a code block, and the code block itself. */
const shownAround = new Set<Mark>(['code_block', 'quote', 'list']);

/** Slack requires a separate list for each change of level or kind. */
function listElements(
  text: string,
  spans: readonly Span[],
  { start, end }: Region,
  border: JsonObject,
  lost: Set<Mark>,
): JsonObject[] {
  const lists: { head: JsonObject; items: JsonObject[]; next: string }[] = [];
  let at = start;
  for (const line of text.slice(start, end).split('\n')) {
    const [, indent = '', bullet, number = '1', words = ''] = ITEM.exec(line) ?? [];
    const style = bullet === undefined ? 'ordered' : 'bullet';
    const from = at + line.length - words.length;
    const elements = inlineElements(text, spans, from, at + line.length, lost);
    const item = { type: 'rich_text_section', elements };
    const last = lists.at(-1);
    const level = indent.length / 2;
    const continues = last?.next === `${style} ${level} ${style === 'bullet' ? '' : number}`;
    const next = `${style} ${level} ${style === 'bullet' ? '' : Number(number) + 1}`;
    if (last !== undefined && continues) {
      last.items.push(item);
      last.next = next;
    } else {
      const offset = style === 'ordered' && number !== '1' ? { offset: Number(number) - 1 } : {};
      lists.push({
        head: { type: 'rich_text_list', style, indent: level, ...offset, ...border },
        items: [item],
        next,
      });
    }
    at += line.length + 1;
  }
  return lists.map(({ head, items }) => ({ ...head, elements: items }));
}
