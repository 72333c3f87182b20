import type { Mark } from '../../../src/contract/index.js';
import { knownEmoji } from '../directory/emoji.js';
import { formatDate } from './dates.js';
import { type Names, nameIn, UNKNOWN_GROUP } from './names.js';
import { type ParsedText, Writer } from './text-writer.js';

const styles: Readonly<Record<string, Mark>> = { '*': 'bold', _: 'italic', '~': 'strike' };
const QUOTE = '&gt;';
/** A mark that quotes the rest of the text. */
const QUOTE_REST = '&gt;&gt;&gt;';
const FENCE = '```';
/**
 * Slack cuts messages at 40,000 characters, and escapes make them longer. A longer text does not come from Slack and is
 * shown unparsed.
 */
const MAX_CHARACTERS = 60_000;

/**
 * Whether the character is a letter or digit. A style mark between two of them is a plain character
 * (docs.slack.dev/messaging/formatting-message-text).
 */
export const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

export const isSpace = (character: string | undefined): boolean =>
  character === undefined || /\s/.test(character);

/**
 * Parses Slack's mrkdwn. Never throws: invalid markup is plain text. `nameOf` returns the name of a mentioned person or
 * channel.
 */
export function parseMrkdwn(source: string, nameOf: NameOf): ParsedText {
  if (source.length > MAX_CHARACTERS) return { text: unescapeText(source), spans: [] };
  const lines = new Lines(nameOf);
  let at = 0;
  while (at < source.length) {
    const open = source.indexOf(FENCE, at);
    const close = open < 0 ? -1 : source.indexOf(FENCE, open + FENCE.length);
    if (close < 0) break;
    lines.write(source.slice(at, open));
    lines.code(bare(source.slice(open + FENCE.length, close), nameOf));
    at = close + FENCE.length;
  }
  lines.write(source.slice(at));
  return lines.end();
}

/** Like `parseMrkdwn`, but only unescapes the text if the style budget is exhausted. */
export function readMrkdwn(source: string, names: Names): ParsedText {
  if (names.styles?.take(source.length) === false) return { text: unescapeText(source), spans: [] };
  return parseMrkdwn(source, nameIn(names));
}

/** Parses text without styles. It may still contain links, mentions and dates in angle brackets. */
export function parsePlain(source: string, nameOf: NameOf): ParsedText {
  if (source.length > MAX_CHARACTERS) return { text: unescapeText(source), spans: [] };
  const writer = new Writer();
  for (const piece of source.split(/(<[^<>]*>)/)) {
    if (piece.startsWith('<') && piece.endsWith('>')) writeReference(writer, piece.slice(1, -1), nameOf);
    else writer.write(withEmoji(unescapeText(piece)));
  }
  return { text: writer.text, spans: writer.sortedSpans() };
}

type NameOf = (id: string) => string | undefined;

/** Writes lines and their quotes. */
class Lines {
  readonly #writer = new Writer();
  readonly #nameOf: NameOf;
  /** Start of the quote that lasts until the end. */
  #restFrom: number | undefined;

  constructor(nameOf: NameOf) {
    this.#nameOf = nameOf;
  }

  write(source: string): void {
    const writer = this.#writer;
    let quoteFrom: number | undefined;
    const endQuote = () => {
      if (quoteFrom !== undefined) writer.add('quote', quoteFrom);
      quoteFrom = undefined;
    };
    source.split('\n').forEach((line, index) => {
      const atLineStart = index > 0 || writer.atLineStart;
      const mark = atLineStart && this.#restFrom === undefined ? quoteMark(line) : '';
      if (mark !== QUOTE) endQuote();
      if (index > 0 && this.#restFrom !== writer.text.length) writer.write('\n');
      if (mark === QUOTE) quoteFrom ??= writer.text.length;
      if (mark === QUOTE_REST) this.#restFrom = writer.text.length;
      const words = mark === '' ? line : line.slice(mark.length).replace(/^ /, '');
      writeInline(writer, words, '', this.#nameOf);
    });
    endQuote();
  }

  code(text: string): void {
    this.#writer.span('code_block', () => this.#writer.write(text));
  }

  end(): ParsedText {
    if (this.#restFrom !== undefined) this.#writer.add('quote', this.#restFrom);
    return { text: this.#writer.text, spans: this.#writer.sortedSpans() };
  }
}

function quoteMark(line: string): string {
  if (line.startsWith(QUOTE_REST)) return QUOTE_REST;
  return line.startsWith(QUOTE) ? QUOTE : '';
}

/** Parses one line. `active` contains the open style marks, which bounds the depth. */
function writeInline(writer: Writer, source: string, active: string, nameOf: NameOf): void {
  // If a mark has no partner on this line, later marks of its kind have none either. This keeps the scan linear.
  const partnerless = new Set<string>();
  let plainFrom = 0;
  let at = 0;
  while (at < source.length) {
    const mark = source[at] as string;
    const end = partnerless.has(mark) ? undefined : endOf(source, at, active);
    if (end === undefined || end < 0) {
      if (end !== undefined) partnerless.add(mark);
      at += 1;
      continue;
    }
    writer.write(withEmoji(unescapeText(source.slice(plainFrom, at))));
    writeMarked(writer, mark, source.slice(at + 1, end), active, nameOf);
    at = end + 1;
    plainFrom = at;
  }
  writer.write(withEmoji(unescapeText(source.slice(plainFrom))));
}

/** The end of the markup that begins at `at`. -1 if it has no end; undefined if no markup begins there. */
function endOf(source: string, at: number, active: string): number | undefined {
  const mark = source[at] as string;
  if (mark === '<') return source.indexOf('>', at);
  if (mark === '`') return codeEnd(source, at);
  if (styles[mark] === undefined || active.includes(mark)) return undefined;
  const next = source[at + 1];
  if (isWord(source[at - 1]) || isSpace(next) || next === mark) return undefined;
  return styleEnd(source, at, mark);
}

function codeEnd(source: string, at: number): number | undefined {
  const end = source.indexOf('`', at + 1);
  return end === at + 1 ? undefined : end;
}

function styleEnd(source: string, open: number, mark: string): number {
  for (let at = open + 1; at < source.length; at += 1) {
    const character = source[at];
    if (character === '<' || character === '`') {
      const end = source.indexOf(character === '<' ? '>' : '`', at + 1);
      if (end > 0) at = end;
    } else if (character === mark && at > open + 1 && !isSpace(source[at - 1]) && !isWord(source[at + 1])) {
      return at;
    }
  }
  return -1;
}

function writeMarked(writer: Writer, mark: string, inner: string, active: string, nameOf: NameOf): void {
  const style = styles[mark];
  if (mark === '<') writeReference(writer, inner, nameOf);
  else if (style === undefined) writer.span('code', () => writer.write(bare(inner, nameOf)));
  else writer.span(style, () => writeInline(writer, inner, active + mark, nameOf));
}

/** Writes the content of angle brackets: a mention, a channel, a date or a link. */
function writeReference(writer: Writer, inner: string, nameOf: NameOf): void {
  const { text, mark, value } = readReference(inner, nameOf);
  if (mark === undefined) writer.write(text);
  else writer.span(mark, () => writer.write(text), value);
}

interface Reference {
  readonly text: string;
  readonly mark?: Mark;
  readonly value?: string;
}

function readReference(inner: string, nameOf: NameOf): Reference {
  const bar = inner.indexOf('|');
  const target = bar < 0 ? inner : inner.slice(0, bar);
  const label = bar < 0 ? '' : unescapeText(inner.slice(bar + 1));
  const id = target.slice(1);
  if (/^@[UW]\w+$/.test(target))
    return { text: `@${nameOf(id) ?? (label === '' ? id : label)}`, mark: 'mention', value: id };
  if (/^#\w+$/.test(target)) return { text: `#${label === '' ? (nameOf(id) ?? id) : label}` };
  if (id.startsWith('date^') && target.startsWith('!')) return readDate(id, label);
  if (target.startsWith('!')) return { text: specialMention(id, label, nameOf) };
  if (!/^[a-z][a-z0-9+.-]*:./i.test(target)) return { text: unescapeText(`<${inner}>`) };
  const url = unescapeText(target);
  return { text: label === '' ? url : label, mark: 'link', value: url };
}

function specialMention(target: string, label: string, nameOf: NameOf): string {
  if (/^(here|channel|everyone)$/.test(target)) return `@${target}`;
  if (!target.startsWith('subteam^')) return label === '' ? target : label;
  const name = label || nameOf(target.slice('subteam^'.length)) || UNKNOWN_GROUP;
  return name.startsWith('@') ? name : `@${name}`;
}

/**
 * Writes `date^<seconds>^<format>` with an optional `^<address>`. The label is a fallback for clients that cannot
 * format the date.
 */
function readDate(target: string, label: string): Reference {
  const [, timestamp, format = '', address] = target.split('^');
  const text = label || formatDate(timestamp, unescapeText(format)) || '';
  if (address === undefined || !/^https?:/.test(address)) return { text };
  return { text, mark: 'link', value: unescapeText(address) };
}

/** Writes text inside code. It has no styles, but may contain links in angle brackets. */
function bare(source: string, nameOf: NameOf): string {
  return source
    .split(/(<[^<>]*>)/)
    .map((piece) =>
      /^<.*>$/s.test(piece) ? readReference(piece.slice(1, -1), nameOf).text : unescapeText(piece),
    )
    .join('');
}

/** Replaces Slack's emoji names with emoji. */
export function withEmoji(text: string): string {
  if (text.length > MAX_CHARACTERS) return text;
  return text.replace(
    /:([a-z0-9_+-]{1,62}):(?::(skin-tone-[2-6]):)?/g,
    (all, name: string, tone?: string) => knownEmoji(tone === undefined ? name : `${name}::${tone}`) ?? all,
  );
}

/** Decodes the three characters that Slack escapes (docs.slack.dev/messaging/formatting-message-text#escaping). */
function unescapeText(text: string): string {
  return text.replace(/&(lt|gt|amp);/g, (_, name: string) =>
    name === 'lt' ? '<' : name === 'gt' ? '>' : '&',
  );
}
