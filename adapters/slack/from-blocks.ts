import { z } from 'zod';
import type { ContentAttachment, Mark } from '../../src/contract/index.js';
import { knownEmoji } from './emoji.js';
import { parseMrkdwn, withEmoji } from './from-mrkdwn.js';
import { type ParsedText, Writer } from './text-writer.js';

/** Names that blocks only hold the ids of. */
export interface Names {
  readonly user: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
}

/** Ids say by their first letter what they name. */
export const nameIn = (names: Names) => (id: string) => names.user(id) ?? names.channel(id);

export interface ParsedBlocks extends ParsedText {
  readonly attachments: readonly ContentAttachment[];
}

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
  style: z
    .object({ bold: flag, italic: flag, strike: flag, code: flag, underline: flag })
    .optional()
    .catch(undefined),
});
type Inline = z.infer<typeof inline>;

/** Everything odd is left out, never the whole. */
const listOf = <T extends z.ZodType>(schema: T, most: number) =>
  z
    .array(schema.nullable().catch(null))
    // What is absent is told apart first: a refusal is dear, and most blocks have only some of these.
    .default([])
    .catch([])
    .transform((all) => all.filter((one) => one !== null).slice(0, most));

const MOST = 2_000;
const anything = z.array(z.unknown()).default([]).catch([]);
const section = z.object({ type: z.string(), elements: listOf(inline, MOST) });
const richElement = z.object({
  type: z.string(),
  style: text,
  indent: count,
  offset: count,
  border: count,
  language: text,
  elements: anything,
});
type RichElement = z.infer<typeof richElement>;
const richElements = listOf(richElement, MOST);

const textObject = z.object({ type: z.string(), text: z.string() }).optional().catch(undefined);
const texts = listOf(z.object({ type: z.string(), text: z.string() }), 10);
const block = z.object({
  type: z.string(),
  text: z.union([textObject, z.string()]).optional().catch(undefined),
  fields: texts,
  elements: anything,
  image_url: text,
  alt_text: text,
  title: textObject,
});
type Block = z.infer<typeof block>;

/** At most so many blocks stand in a message (docs.slack.dev/reference/block-kit/blocks). */
export const blocksSchema = listOf(block, 50);
export type Blocks = z.infer<typeof blocksSchema>;

/** What blocks say, as far as it is text or a picture. Empty text when they say nothing of the kind. */
export function parseBlocks(blocks: Blocks, names: Names): ParsedBlocks {
  const writer = new Writer();
  const attachments: ContentAttachment[] = [];
  for (const each of blocks) {
    if (each.type === 'rich_text') writeRich(writer, each.elements, names);
    else if (each.type === 'image') attachments.push(...picture(each));
    else writeOther(writer, each, names);
  }
  return { text: writer.text, spans: writer.sortedSpans(), attachments: attachments.slice(0, 10) };
}

function picture({ image_url: url, alt_text: altText, title }: Block): ContentAttachment[] {
  if (url === undefined || !/^https?:\/\//.test(url) || url.length > 2_048) return [];
  return [
    {
      type: 'image',
      url,
      ...(altText ? { altText: altText.slice(0, 1_000) } : {}),
      ...(title === undefined || title.text === '' ? {} : { name: title.text.slice(0, 255) }),
    },
  ];
}

/** Each of the other blocks stands on lines of its own. */
function writeOther(writer: Writer, { type, text: body, fields, elements }: Block, names: Names): void {
  const said = type === 'context' ? texts.parse(elements) : fields;
  const own = typeof body === 'string' ? { type: 'plain_text', text: body } : body;
  for (const one of own === undefined ? said : [own, ...said]) {
    if (one.text === '' || !['plain_text', 'mrkdwn'].includes(one.type)) continue;
    newLine(writer);
    const write = () => writeText(writer, one, names);
    if (type === 'header') writer.span('heading', write, '1');
    else write();
  }
}

function writeText(
  writer: Writer,
  { type, text: source }: { type: string; text: string },
  names: Names,
): void {
  if (type === 'plain_text') writer.write(withEmoji(source));
  else writer.append(parseMrkdwn(source, nameIn(names)));
}

function newLine(writer: Writer): void {
  if (writer.text !== '' && !writer.text.endsWith('\n')) writer.write('\n');
}

const BLOCKS: Readonly<Record<string, Mark>> = {
  rich_text_preformatted: 'code_block',
  rich_text_quote: 'quote',
  rich_text_list: 'list',
};

function writeRich(writer: Writer, elements: readonly unknown[], names: Names): void {
  let before: Mark | undefined;
  let first = true;
  for (const each of richElements.parse(elements)) {
    const mark = BLOCKS[each.type];
    // A code block, quote or list ends its line by itself.
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

function writeElement(writer: Writer, element: RichElement, mark: Mark | undefined, names: Names): void {
  if (mark === 'list') return writer.span('list', () => writeList(writer, element, names));
  const write = () => {
    for (const each of element.elements.slice(0, MOST)) writeAny(writer, each, mark, names);
  };
  if (mark === undefined) write();
  else writer.span(mark, write, mark === 'code_block' ? element.language : undefined);
}

const isSection = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'rich_text_section';

/** Quotes of some programs hold whole sections. */
function writeAny(writer: Writer, value: unknown, mark: Mark | undefined, names: Names): void {
  if (isSection(value)) {
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
  listOf(section, MOST)
    .parse(elements)
    .forEach((item, index) => {
      if (index > 0) writer.write('\n');
      writer.write('  '.repeat(Math.min(indent, 8)));
      writer.write(style === 'ordered' ? `${offset + index + 1}. ` : '• ');
      for (const each of item.elements) writeInline(writer, each, 'list', names);
    });
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
      return { text: `@${element.usergroup_id ?? ''}` };
    case 'broadcast':
      return { text: `@${element.range ?? 'channel'}` };
    case 'emoji':
      return { text: emoji(element) };
    default:
      return { text: words || element.fallback || element.value || url };
  }
}

/** Slack gives the code points with most of its own emoji, and a skin tone in them or beside the name. */
function emoji({ name = '', unicode = '', skin_tone: tone }: Inline): string {
  const codes = unicode.split('-').map((code) => Number.parseInt(code, 16));
  const valid = codes.every((code) => code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff));
  if (valid) return String.fromCodePoint(...codes);
  const known = knownEmoji(tone === undefined ? name : `${name}::skin-tone-${tone}`);
  return known ?? (name === '' ? '' : `:${name}:`);
}
