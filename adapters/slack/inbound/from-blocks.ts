import { z } from 'zod';
import type { ContentAttachment } from '../../../src/contract/index.js';
import { readMarkdown } from './from-markdown.js';
import { readMrkdwn, withEmoji } from './from-mrkdwn.js';
import { writeChart, writeTable } from './from-table.js';
import { imageOf } from './images.js';
import type { Names } from './names.js';
import { newLine, writeRich } from './rich-text.js';
import { type ParsedText, Writer } from './text-writer.js';
import { addressOf, type Fields, fieldsOf, listOf, wordsOf } from './values.js';

export interface ParsedBlocks extends ParsedText {
  readonly attachments: readonly ContentAttachment[];
  /** File objects in blocks. */
  readonly files: readonly unknown[];
  /** False if the text consists only of table cells. */
  readonly prose: boolean;
  /** Labels of buttons and menus, and icons. They are shown only if a message has nothing else. */
  readonly rest: { readonly labels: readonly string[]; readonly icons: readonly ContentAttachment[] };
}

/** A message has at most 50 blocks (docs.slack.dev/reference/block-kit/blocks). */
const MAX_BLOCKS = 100;
const MAX_CHILDREN = 500;
/** Maximum nesting depth. Containers hold other blocks, carousels hold cards, plans hold tasks. */
const MAX_DEPTH = 6;
const MAX_ATTACHMENTS = 10;

export const blocksSchema = z
  .array(z.unknown())
  .default([])
  .catch([])
  .transform((all) => all.slice(0, MAX_BLOCKS));
export type Blocks = z.infer<typeof blocksSchema>;

/** Parses the text and pictures of blocks. The text is empty if the blocks have none. */
export function parseBlocks(blocks: Blocks, names: Names): ParsedBlocks {
  return new BlockReader(names).read(blocks);
}

/** The visible fields of blocks and elements, in Slack's display order. */
const SHOWN = [
  'rich_text_title',
  'title',
  'subtitle',
  'author_name',
  'label',
  'name',
  'text',
  'body',
  'fields',
  'description',
  'caption',
  'hero_image',
  'image',
  'icon',
  'elements',
  'child_blocks',
  'details',
  'output',
  'tasks',
  'sources',
  'hint',
  'email',
  'phone',
  'phone_number',
  'accessory',
  'actions',
] as const;

class BlockReader {
  readonly #names: Names;
  readonly #writer = new Writer();
  readonly #pictures: ContentAttachment[] = [];
  readonly #files: unknown[] = [];
  readonly #labels: string[] = [];
  readonly #icons: ContentAttachment[] = [];
  #prose = false;

  /** Blocks and elements whose fields are not just shown one below the other. */
  readonly #special: Readonly<Record<string, (block: Fields) => void>> = {
    divider: () => undefined,
    rich_text: ({ elements }) => this.#rich(elements),
    markdown: ({ text }) => this.#append(readMarkdown(wordsOf(text) ?? '', this.#names)),
    header: ({ text }) => this.#heading(fieldsOf(text)),
    plain_text: ({ text }) => this.#line(withEmoji(wordsOf(text) ?? '')),
    mrkdwn: ({ text }) => this.#append(readMrkdwn(wordsOf(text) ?? '', this.#names)),
    image: (block) => this.#picture(block),
    table: (block) => this.#table(block),
    data_table: (block) => this.#dataTable(block),
    data_visualization: (block) => this.#chart(block),
    video: (block) => this.#video(block),
    call: (block) => this.#call(block),
    file: ({ file }) => this.#files.push(file),
    button: (element) => this.#button(element),
    workflow_button: (element) => this.#button(element),
    url: ({ text, url }) => this.#link(wordsOf(text) ?? wordsOf(url), url),
  };

  constructor(names: Names) {
    this.#names = names;
  }

  read(blocks: Blocks): ParsedBlocks {
    for (const block of blocks) this.#show(fieldsOf(block), 0);
    return {
      text: this.#writer.text,
      spans: this.#writer.sortedSpans(),
      attachments: this.#pictures.slice(0, MAX_ATTACHMENTS),
      files: this.#files,
      prose: this.#prose,
      rest: { labels: this.#labels, icons: this.#icons.slice(0, MAX_ATTACHMENTS) },
    };
  }

  #show(block: Fields | undefined, depth: number): void {
    if (block === undefined || depth > MAX_DEPTH) return;
    const type = wordsOf(block.type) ?? '';
    const special = Object.hasOwn(this.#special, type) ? this.#special[type] : undefined;
    if (special !== undefined) return special(block);
    if (type.endsWith('_select') || type.endsWith('picker') || type.endsWith('_input'))
      return this.#input(block);
    for (const field of SHOWN)
      this.#value(block[field], { depth, minor: type === 'context' || field === 'icon' });
  }

  #value(value: unknown, place: { depth: number; minor: boolean }): void {
    if (typeof value === 'string') return this.#line(withEmoji(value));
    if (Array.isArray(value)) {
      for (const each of listOf(value, MAX_CHILDREN)) this.#value(fieldsOf(each), place);
      return;
    }
    const fields = fieldsOf(value);
    if (fields?.type !== 'image') return this.#show(fields, place.depth + 1);
    // Icons before a name or in a context line are decoration.
    if (place.minor) this.#icons.push(...imageOf(fields));
    else this.#picture(fields);
  }

  #line(words: string): void {
    this.#append({ text: words, spans: [] });
  }

  /** Each text has lines of its own. */
  #append(parsed: ParsedText): void {
    if (parsed.text === '') return;
    newLine(this.#writer);
    this.#writer.append(parsed);
    this.#prose = true;
  }

  #rich(elements: unknown): void {
    const before = this.#writer.text.length;
    writeRich(this.#writer, elements, this.#names);
    if (this.#writer.text.length > before) this.#prose = true;
  }

  #heading(text: Fields | undefined): void {
    if (text === undefined) return;
    newLine(this.#writer);
    this.#writer.span('heading', () => this.#show(text, MAX_DEPTH), '1');
  }

  #link(words: string | undefined, url: unknown): void {
    const address = addressOf(url);
    if (words === undefined) return;
    newLine(this.#writer);
    if (address === undefined) this.#writer.write(words);
    else this.#writer.span('link', () => this.#writer.write(words), address);
    this.#prose = true;
  }

  /** A picture whose file cannot be fetched is represented by its description. */
  #picture(image: Fields): void {
    const pictures = imageOf(image);
    this.#pictures.push(...pictures);
    const about = wordsOf(image.alt_text);
    if (pictures.length === 0 && about !== undefined) this.#labels.push(about);
  }

  #table(table: Fields): void {
    newLine(this.#writer);
    writeTable(this.#writer, table, this.#names);
  }

  #dataTable(table: Fields): void {
    this.#line(wordsOf(table.caption) ?? '');
    this.#table(table);
  }

  #chart({ title, chart }: Fields): void {
    this.#value(title, { depth: 0, minor: false });
    newLine(this.#writer);
    writeChart(this.#writer, fieldsOf(chart) ?? {}, this.#names);
  }

  #video({ title, title_url, video_url, author_name, description, alt_text }: Fields): void {
    const words = wordsOf(fieldsOf(title)?.text) ?? wordsOf(title) ?? wordsOf(alt_text);
    this.#link(
      words === undefined ? wordsOf(video_url) : withEmoji(words),
      addressOf(title_url) ?? video_url,
    );
    this.#line(wordsOf(author_name) ?? '');
    this.#value(description, { depth: 0, minor: false });
  }

  #call({ call }: Fields): void {
    const { name, title, join_url } = fieldsOf(fieldsOf(call)?.v1) ?? fieldsOf(call) ?? {};
    this.#link(wordsOf(title) ?? wordsOf(name) ?? '[call]', join_url);
  }

  /** A button with an address is a link. Other buttons do nothing outside of Slack. */
  #button({ text, url, value }: Fields): void {
    const label = wordsOf(fieldsOf(text)?.text) ?? wordsOf(text) ?? wordsOf(value);
    if (label === undefined) return;
    if (addressOf(url) === undefined) this.#labels.push(withEmoji(label));
    else this.#link(withEmoji(label), url);
  }

  #input({ placeholder }: Fields): void {
    const label = wordsOf(fieldsOf(placeholder)?.text);
    if (label !== undefined) this.#labels.push(withEmoji(label));
  }
}
