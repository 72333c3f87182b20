import type { Mark } from '../../../src/contract/index.js';
import { withEmoji } from './from-mrkdwn.js';
import type { Names } from './names.js';
import { type ParsedText, Writer } from './text-writer.js';

const STYLES: Readonly<Record<string, Mark>> = {
  '**': 'bold',
  __: 'bold',
  '~~': 'strike',
  '*': 'italic',
  _: 'italic',
};

/** Slack accepts 12,000 characters of Markdown per message. The markup of a longer text is not parsed. */
const MAX_LENGTH = 13_000;

/** The open marks around a position in the text. */
type Active = ReadonlySet<string>;
const NONE: Active = new Set();

/**
 * Parses the Markdown of a `markdown` block (docs.slack.dev/reference/block-kit/blocks/markdown-block) in one pass over
 * its lines. Never throws: invalid markup is plain text.
 */
function parseMarkdown(source: string): ParsedText {
  if (source.length > MAX_LENGTH) return { text: source, spans: [] };
  const writer = new Writer();
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  for (let at = 0; at < lines.length; ) {
    const fence = /^ {0,3}(```+|~~~+) *([\w+#.-]*)/.exec(lines[at] ?? '');
    if (at > 0) writer.write('\n');
    at = fence === null ? writeBlock(writer, lines, at) : writeFence(writer, lines, at, fence);
  }
  writer.join('list');
  writer.join('quote');
  return { text: writer.text, spans: writer.sortedSpans() };
}

/**
 * Like `parseMarkdown`, but leaves the text unparsed if the style budget is exhausted. Markdown takes about twice the
 * time of mrkdwn.
 */
export function readMarkdown(source: string, names: Names): ParsedText {
  if (names.styles?.take(2 * source.length) === false) return { text: source, spans: [] };
  return parseMarkdown(source);
}

/** Parses code up to its closing fence, or to the end. Returns the index of the next line. */
function writeFence(writer: Writer, lines: readonly string[], from: number, fence: RegExpExecArray): number {
  const [, marks = '', language = ''] = fence;
  let to = from + 1;
  while (to < lines.length && !lines[to]?.trimStart().startsWith(marks)) to += 1;
  const code = lines.slice(from + 1, to).join('\n');
  writer.span('code_block', () => writer.write(code), language === '' ? undefined : language);
  return to + 1;
}

function writeBlock(writer: Writer, lines: readonly string[], at: number): number {
  const line = lines[at] ?? '';
  const heading = /^ {0,3}(#{1,6}) +(?! )(.*)$/.exec(line);
  if (heading !== null) {
    const words = (heading[2] ?? '').trimEnd().replace(/ #+$/, '');
    writer.span('heading', () => writeInline(writer, words, NONE), String(heading[1]?.length));
  } else if (/^ {0,3}>/.test(line)) {
    writer.span('quote', () => writeInline(writer, line.replace(/^ {0,3}>[> ]*/, ''), NONE));
  } else if (/^ {0,3}([-*_])( *\1){2,} *$/.test(line)) {
    writer.write('———');
  } else if (isTableRule(line)) {
    // The rule between the head and the rows of a table is dropped, with the line break before it.
    writer.text = writer.text.replace(/\n$/, '');
  } else writeItem(writer, line);
  return at + 1;
}

const isTableRule = (line: string): boolean =>
  line.includes('|') && line.includes('-') && /^[ |:-]+$/.test(line);

function writeItem(writer: Writer, line: string): void {
  const item = /^( *)(?:([-*+])|(\d{1,9})[.)]) +(?! )(.*)$/.exec(line);
  if (item === null) {
    const row = /^ *\|(.*)\| *$/.exec(line);
    return writeInline(writer, row === null ? line : (row[1] ?? '').trim(), NONE);
  }
  const [, indent = '', bullet, number, words = ''] = item;
  writer.span('list', () => {
    writer.write('  '.repeat(Math.min(Math.ceil(indent.length / 4), 8)));
    writer.write(bullet === undefined ? `${number}. ` : '• ');
    const task = /^\[([ xX])\] +/.exec(words);
    if (task !== null) writer.write(task[1] === ' ' ? '☐ ' : '☑ ');
    writeInline(writer, task === null ? words : words.slice(task[0].length), NONE);
  });
}

/** Parses one line. `active` contains the open marks, which bounds the depth. */
function writeInline(writer: Writer, source: string, active: Active): void {
  // A mark without a partner on this line gets no second search, so the scan is linear.
  const partnerless = new Set<string>();
  let plain = '';
  const flush = () => {
    writer.write(withEmoji(plain));
    plain = '';
  };
  for (let at = 0; at < source.length; ) {
    const piece = pieceAt(source, at, active, partnerless);
    if (piece === undefined) {
      const escaped = source[at] === '\\' && /[!-/:-@[-`{-~]/.test(source[at + 1] ?? '');
      plain += source[escaped ? at + 1 : at];
      at += escaped ? 2 : 1;
    } else {
      flush();
      piece.write(writer);
      at = piece.end;
    }
  }
  flush();
}

interface Piece {
  readonly end: number;
  readonly write: (writer: Writer) => void;
}

function pieceAt(source: string, at: number, active: Active, partnerless: Set<string>): Piece | undefined {
  const character = source[at] ?? '';
  if (character === '`') return codeAt(source, at, partnerless);
  if (character === '[' || (character === '!' && source[at + 1] === '['))
    return linkAt(source, at, active, partnerless);
  if (character === '<') return autolinkAt(source, at);
  const double = source.slice(at, at + 2);
  const mark = STYLES[double] === undefined ? character : double;
  if (STYLES[mark] === undefined || active.has(mark) || partnerless.has(mark)) return undefined;
  return styledAt(source, at, mark, active, partnerless);
}

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);
const isBlank = (character: string | undefined): boolean => character === undefined || /\s/.test(character);

function styledAt(
  source: string,
  at: number,
  mark: string,
  active: Active,
  partnerless: Set<string>,
): Piece | undefined {
  const from = at + mark.length;
  if (isBlank(source[from]) || (mark.startsWith('_') && isWord(source[at - 1]))) return undefined;
  for (let end = source.indexOf(mark, from); end >= 0; end = source.indexOf(mark, end + 1)) {
    // The last of three asterisks closes the outer style.
    if (mark.length === 2 && source[end + 2] === mark[0]) end += 1;
    const after = source[end + mark.length];
    const single = mark.length === 1 && (source[end - 1] === mark || after === mark);
    const inWord = mark.startsWith('_') && isWord(after);
    if (end === from || isBlank(source[end - 1]) || source[end - 1] === '\\' || single || inWord) continue;
    const inner = source.slice(from, end);
    return {
      end: end + mark.length,
      write: (writer) =>
        writer.span(STYLES[mark] as Mark, () => writeInline(writer, inner, new Set([...active, mark]))),
    };
  }
  partnerless.add(mark);
  return undefined;
}

function codeAt(source: string, at: number, partnerless: Set<string>): Piece | undefined {
  const [marks = '`'] = /^`+/.exec(source.slice(at, at + 8)) ?? [];
  const end = partnerless.has(marks) ? -1 : source.indexOf(marks, at + marks.length);
  if (end < 0) {
    partnerless.add(marks);
    return undefined;
  }
  const code = source.slice(at + marks.length, end);
  return { end: end + marks.length, write: (writer) => writer.span('code', () => writer.write(code)) };
}

/** Parses `[words](address)`, and `![words](address)`, whose picture also becomes a link. */
function linkAt(source: string, at: number, active: Active, partnerless: Set<string>): Piece | undefined {
  const from = source.indexOf('[', at) + 1;
  const middle = partnerless.has('](') ? -1 : source.indexOf('](', from);
  if (middle < 0) {
    partnerless.add('](');
    return undefined;
  }
  const words = source.slice(from, middle);
  if (words.includes('[') || active.has('[')) return undefined;
  const [all, url] =
    /^<?([^\s<>()]*(?:\([^\s()]*\)[^\s<>()]*)*)>?(?: +"[^"]*")?\)/.exec(
      source.slice(middle + 2, middle + 2_100),
    ) ?? [];
  if (all === undefined || url === undefined || url === '') return undefined;
  const write = (writer: Writer) =>
    words === '' ? writer.write(url) : writeInline(writer, words, new Set([...active, '[']));
  return { end: middle + 2 + all.length, write: (writer) => writer.span('link', () => write(writer), url) };
}

function autolinkAt(source: string, at: number): Piece | undefined {
  const [all, url] = /^<((?:https?:\/\/|mailto:)[^\s<>]+)>/.exec(source.slice(at, at + 2_100)) ?? [];
  if (all === undefined || url === undefined) return undefined;
  return { end: at + all.length, write: (writer) => writer.span('link', () => writer.write(url), url) };
}
