import type { MessageEntity } from 'grammy/types';
import type { FormattedText } from './entities.js';
import { byteOffset, ParseError, sorted } from './parse-error.js';
import { linkTo } from './parse-html.js';
import { block } from './parse-markdown.js';

const RESERVED = '_*[]()~`>#+-=|{}.!';

interface Open {
  readonly type: string;
  readonly at: number;
  readonly offset: number;
}

/** Marks that open and close alike, longest first, with their names in error messages. */
const marks = [
  ['__', 'underline', 'Underline'],
  ['||', 'spoiler', 'Spoiler'],
  ['*', 'bold', 'Bold'],
  ['_', 'italic', 'Italic'],
  ['~', 'strikethrough', 'Strikethrough'],
] as const;
const names: Readonly<Record<string, string>> = {
  ...Object.fromEntries(marks.map(([, type, name]) => [type, name])),
  text_link: 'TextUrl',
};

/** https://core.telegram.org/bots/api#markdownv2-style */
export function parseMarkdownV2(source: string): FormattedText {
  return new MarkdownV2(source).parse();
}

class MarkdownV2 {
  #text = '';
  #at = 0;
  #quote: number | undefined;
  readonly #open: Open[] = [];
  readonly #entities: MessageEntity[] = [];

  constructor(private readonly source: string) {}

  parse(): FormattedText {
    while (this.#at < this.source.length) this.#step();
    const [last] = this.#open.slice(-1);
    if (last !== undefined) throw this.#unclosed(names[last.type] ?? last.type, last.at);
    this.#endQuote();
    return { text: this.#text, entities: sorted(this.#entities) };
  }

  #step(): void {
    const { source } = this;
    const character = source[this.#at] ?? '';
    const next = source[this.#at + 1];
    if (character === '\\' && next !== undefined && next <= '~') return this.#write(next, 2);
    if (this.#startsLine() && character === '>') {
      this.#quote ??= this.#text.length;
      this.#at += 1;
      return;
    }
    if (character === '\n' && this.#quote !== undefined && next !== '>') this.#endQuote();
    if (!RESERVED.includes(character)) return this.#write(character, 1);
    if (character === '`') return this.#code();
    if (character === '[' || source.startsWith('![', this.#at))
      return this.#begin('text_link', character === '[' ? 1 : 2);
    if (character === ']' && this.#open.at(-1)?.type === 'text_link') return this.#link();
    const mark = marks.find(([sign]) => source.startsWith(sign, this.#at));
    if (mark === undefined)
      throw new ParseError(
        `Character '${character}' is reserved and must be escaped with the preceding '\\'`,
      );
    this.#toggle(mark[1], mark[0].length);
  }

  #startsLine(): boolean {
    return this.#at === 0 || this.source[this.#at - 1] === '\n';
  }

  #write(text: string, consumed: number): void {
    this.#text += text;
    this.#at += consumed;
  }

  #begin(type: string, consumed: number): void {
    this.#open.push({ type, at: this.#at, offset: this.#text.length });
    this.#at += consumed;
  }

  #toggle(type: string, consumed: number): void {
    const isLineEnd = [undefined, '\n'].includes(this.source[this.#at + consumed]);
    const isOpen = this.#open.at(-1)?.type === type;
    // Two bars at the end of a quote make it expandable.
    if (type === 'spoiler' && !isOpen && this.#quote !== undefined && isLineEnd) {
      this.#at += consumed;
      return this.#endQuote('expandable_blockquote');
    }
    if (!isOpen) return this.#begin(type, consumed);
    this.#end({ type });
    this.#at += consumed;
  }

  #end(entity: object): void {
    const open = this.#open.pop();
    if (open === undefined) return;
    const length = this.#text.length - open.offset;
    this.#entities.push({ ...entity, offset: open.offset, length } as MessageEntity);
  }

  #endQuote(type: 'blockquote' | 'expandable_blockquote' = 'blockquote'): void {
    if (this.#quote === undefined) return;
    this.#entities.push({ type, offset: this.#quote, length: this.#text.length - this.#quote });
    this.#quote = undefined;
  }

  #code(): void {
    const fence = this.source.startsWith('```', this.#at) ? '```' : '`';
    const start = this.#at + fence.length;
    let end = start;
    while (end < this.source.length && !this.source.startsWith(fence, end))
      end += this.source[end] === '\\' ? 2 : 1;
    if (end >= this.source.length) throw this.#unclosed(fence === '`' ? 'Code' : 'Pre', this.#at);
    const written = this.source.slice(start, end).replace(/\\([^\u007f-\uffff])/g, '$1');
    const { inner, entity } = fence === '`' ? { inner: written, entity: { type: 'code' } } : block(written);
    this.#entities.push({ ...entity, offset: this.#text.length, length: inner.length } as MessageEntity);
    this.#text += inner;
    this.#at = end + fence.length;
  }

  #link(): void {
    const opening = this.#at + 1;
    if (this.source[opening] !== '(') {
      this.#end({ type: 'text_link', url: '' });
      this.#entities.pop();
      this.#at += 1;
      return;
    }
    let end = opening + 1;
    while (end < this.source.length && this.source[end] !== ')') end += this.source[end] === '\\' ? 2 : 1;
    if (end >= this.source.length)
      throw new ParseError(`Can't find end of a URL at byte offset ${byteOffset(this.source, opening)}`);
    const url = this.source.slice(opening + 1, end).replace(/\\([^\u007f-\uffff])/g, '$1');
    const emoji = /^tg:\/\/emoji\?id=(\d+)$/.exec(url)?.[1];
    this.#end(emoji === undefined ? linkTo(url) : { type: 'custom_emoji', custom_emoji_id: emoji });
    this.#at = end + 1;
  }

  #unclosed(name: string, at: number): ParseError {
    return new ParseError(`Can't find end of ${name} entity at byte offset ${byteOffset(this.source, at)}`);
  }
}
