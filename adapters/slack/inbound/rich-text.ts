import { z } from 'zod';
import type { Mark } from '../../../src/contract/index.js';
import { knownEmoji } from '../directory/emoji.js';
import { formatDate } from './dates.js';
import { type Names, UNKNOWN_GROUP } from './names.js';
import type { Writer } from './text-writer.js';
import { fieldsOf, wordsOf } from './values.js';

const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const count = z.number().int().min(0).max(100_000).optional().catch(undefined);

const inline = z.object({
  type: z.string(),
  text,
  url: text,
  user_id: text,
  channel_id: text,
  usergroup_id: text,
  name: text,
  unicode: text,
  skin_tone: count,
  range: text,
  fallback: text,
  value: text,
  format: text,
  timestamp: z.union([z.number(), z.string()]).optional().catch(undefined),
  style: z
    .object({ bold: flag, italic: flag, strike: flag, code: flag, underline: flag })
    .optional()
    .catch(undefined),
});
type Inline = z.infer<typeof inline>;

/** Malformed elements are left out, never the whole text. */
const listOf = <T extends z.ZodType>(schema: T, most: number) =>
  z
    .preprocess(
      (value) => (Array.isArray(value) ? value.slice(0, most) : value),
      z
        .array(schema.nullable().catch(null))
        // Handles an absent list first, because a failed parse by zod is expensive.
        .default([])
        .catch([]),
    )
    .transform((all) => all.filter((one) => one !== null));

const MAX_ELEMENTS = 2_000;
const section = z.object({ type: z.string(), elements: listOf(inline, MAX_ELEMENTS) });
const richElement = z.object({
  type: z.string(),
  style: text,
  indent: count,
  offset: count,
  border: count,
  language: text,
  elements: z.array(z.unknown()).default([]).catch([]),
});
type RichElement = z.infer<typeof richElement>;
const richElements = listOf(richElement, MAX_ELEMENTS);

const BLOCKS: ReadonlyMap<string, Mark> = new Map([
  ['rich_text_preformatted', 'code_block'],
  ['rich_text_quote', 'quote'],
  ['rich_text_list', 'list'],
]);

/** Cost of one element in the style budget, in characters. */
const ELEMENT_COST = 16;

const hasRoom = (names: Names, elements: unknown): boolean =>
  names.styles?.take(ELEMENT_COST * (Array.isArray(elements) ? elements.length : 1)) !== false;

const WORDS = ['text', 'fallback', 'name', 'url', 'user_id', 'channel_id'] as const;

/** The plain text of an element or of its children. Used if the style budget is exhausted. */
function bareWords(value: unknown, depth = 0): string {
  const fields = fieldsOf(value) ?? {};
  const { elements } = fields;
  if (Array.isArray(elements) && depth < 4) return elements.map((one) => bareWords(one, depth + 1)).join('');
  return WORDS.map((name) => wordsOf(fields[name])).find((words) => words !== undefined) ?? '';
}

/** Writes the elements of a `rich_text` block (docs.slack.dev/reference/block-kit/blocks/rich-text-block). */
export function writeRich(writer: Writer, elements: unknown, names: Names): void {
  if (!hasRoom(names, elements)) return writer.write(bareWords({ elements }));
  let before: Mark | undefined;
  let first = true;
  for (const each of richElements.parse(elements)) {
    const mark = BLOCKS.get(each.type);
    // A code block, quote or list ends its line implicitly.
    if (first || before === undefined) newLine(writer);
    else writer.write('\n');
    first = false;
    before = mark;
    const write = () => writeElement(writer, each, mark, names);
    if (each.border === 1 && mark !== 'quote') writer.span('quote', write);
    else write();
  }
  writer.join('list');
  writer.join('quote');
}

export function newLine(writer: Writer): void {
  if (!writer.atLineStart) writer.write('\n');
}

function writeElement(writer: Writer, element: RichElement, mark: Mark | undefined, names: Names): void {
  if (mark === 'list') return writer.span('list', () => writeList(writer, element, names));
  const write = () => {
    for (const each of element.elements.slice(0, MAX_ELEMENTS)) writeAny(writer, each, mark, names);
  };
  if (mark === undefined) write();
  else writer.span(mark, write, mark === 'code_block' ? element.language : undefined);
}

/** Quotes of some programs contain whole sections. */
function writeAny(writer: Writer, value: unknown, mark: Mark | undefined, names: Names): void {
  const fields = fieldsOf(value);
  if (!hasRoom(names, fields?.elements)) return writer.write(bareWords(value));
  if (fields?.type === 'rich_text_section') {
    for (const each of section.parse(value).elements) writeInline(writer, each, mark, names);
    return;
  }
  const one = inline.safeParse(value);
  if (one.success) writeInline(writer, one.data, mark, names);
}

function writeList(
  writer: Writer,
  { elements, style, indent = 0, offset = 0 }: RichElement,
  names: Names,
): void {
  let index = 0;
  for (const value of elements.slice(0, MAX_ELEMENTS)) {
    if (typeof fieldsOf(value)?.type !== 'string') continue;
    index += 1;
    if (index > 1) writer.write('\n');
    writer.write('  '.repeat(Math.min(indent, 8)));
    writer.write(style === 'ordered' ? `${offset + index}. ` : '• ');
    if (!hasRoom(names, fieldsOf(value)?.elements)) writer.write(bareWords(value));
    else for (const each of section.parse(value).elements) writeInline(writer, each, 'list', names);
  }
}

const STYLES = ['bold', 'italic', 'strike', 'code', 'underline'] as const;

function writeInline(writer: Writer, element: Inline, around: Mark | undefined, names: Names): void {
  const shown = read(element, names);
  if (shown.text === '') return;
  const start = writer.text.length;
  writer.write(shown.text);
  if (shown.mark === 'link') writer.extend('link', start, shown.value);
  else if (shown.mark !== undefined) writer.add(shown.mark, start, shown.value);
  if (around === 'code_block') return;
  for (const style of STYLES) if (element.style?.[style] === true) writer.extend(style, start);
}

interface Shown {
  readonly text: string;
  readonly mark?: Mark;
  readonly value?: string;
}

function read(element: Inline, names: Names): Shown {
  const { text: words = '', url = '', user_id: user, channel_id: channel } = element;
  switch (element.type) {
    case 'link':
      return url === '' ? { text: words } : { text: words === '' ? url : words, mark: 'link', value: url };
    case 'user':
      return user === undefined
        ? { text: '' }
        : { text: `@${names.user(user) ?? user}`, mark: 'mention', value: user };
    case 'channel':
      return { text: channel === undefined ? '' : `#${names.channel(channel) ?? channel}` };
    case 'usergroup':
      return { text: `@${names.group?.(element.usergroup_id ?? '') ?? UNKNOWN_GROUP}` };
    case 'broadcast':
      return { text: `@${element.range ?? 'channel'}` };
    case 'emoji':
      return { text: emoji(element) };
    case 'date':
      return date(element);
    default:
      return { text: words || element.fallback || element.value || element.name || url };
  }
}

function date({ fallback, timestamp, format = '', url = '' }: Inline): Shown {
  const text = fallback || formatDate(timestamp, format) || '';
  return /^https?:/.test(url) ? { text, mark: 'link', value: url } : { text };
}

/** Slack sends the code points of most standard emoji. A skin tone is part of them or is next to the name. */
function emoji({ name = '', unicode = '', skin_tone: tone }: Inline): string {
  const codes = unicode.split('-').map((code) => Number.parseInt(code, 16));
  const valid = codes.every((code) => code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff));
  if (valid) return String.fromCodePoint(...codes);
  const known = knownEmoji(tone === undefined ? name : `${name}::skin-tone-${tone}`);
  return known ?? (name === '' ? '' : `:${name}:`);
}
