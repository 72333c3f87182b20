import type { Content, Mark, Span } from '../../../src/contract/index.js';
import { inlineCode } from './inline-code.js';

/** Names of mentioned ids: people by id, channels by `#` and id, roles by `@&` and id. */
export type Names = ReadonlyMap<string, string>;

interface Parsed {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Maximum length of parsed content. No account may write longer content, and the scan is not linear. */
const MAX_CHARACTERS = 8_000;
const MAX_DEPTH = 12;

/** Parses Discord markdown. Never throws: anything that is not markup is text. */
export function parseMarkdown(source: string, names: Names): Pick<Content, 'text' | 'spans'> {
  if (source.length > MAX_CHARACTERS) return { text: source, spans: [] };
  return new Scan(source, names, 0, 'all').run();
}

interface Rule {
  readonly pattern: RegExp;
  /** Builds the parsed element. Undefined if the match does not count. */
  readonly build: (match: RegExpExecArray, scan: Scan) => Parsed | undefined;
}

const literal = (text: string): Parsed => ({ text, spans: [] });

const wrapped =
  (mark: Mark): Rule['build'] =>
  (match, scan) =>
    marked(mark, scan.inner(match[1] ?? '', 'none'));

function marked(mark: Mark, { text, spans }: Parsed, value?: string): Parsed {
  if (text.length === 0) return { text, spans };
  const outer: Span = { mark, start: 0, end: text.length, ...(value === undefined ? {} : { value }) };
  return { text, spans: [outer, ...spans] };
}

const fence = /```(?:([a-z0-9_+\-.#]+)?\n)?([\s\S]*?)\n?```/iy;

/** Rules in the order of Discord's client. Bodies skip escapes, so an escaped fence does not close a mark. */
const rules: readonly Rule[] = [
  { pattern: /\\([^0-9A-Za-z\s])/uy, build: ([, character]) => literal(character ?? '') },
  {
    pattern: fence,
    build: ([all, language, code = '']) =>
      code === '' ? literal(all) : marked('code_block', literal(code), language),
  },
  { pattern: /\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y, build: wrapped('bold') },
  { pattern: /__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, build: wrapped('underline') },
  {
    pattern: /\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^*\s\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/y,
    build: wrapped('italic'),
  },
  {
    pattern: /_((?:__|\\[\s\S]|[^\\_])+?)_(?![A-Za-z0-9_])/y,
    build: (match, scan) => (scan.afterWord ? undefined : wrapped('italic')(match, scan)),
  },
  { pattern: /~~((?:\\[\s\S]|[^\\])+?)~~/y, build: wrapped('strike') },
  { pattern: /\|\|((?:\\[\s\S]|[^\\])+?)\|\|/y, build: wrapped('spoiler') },
  {
    // An address may contain brackets in pairs, and any brackets inside angle brackets. The label is bounded, because
    // the rule is tried at each bracket.
    pattern:
      /\[((?:\\[\s\S]|[^\\\]\n]){1,1000})\]\((?:<(https?:\/\/[^\s<>]+)>|(https?:\/\/(?:[^\s<>()]|\([^\s<>()]*\))+))(?:\s+"[^"]*")?\)/iy,
    build: ([, label = '', enclosed, bare], scan) =>
      marked('link', scan.inner(label, 'none'), enclosed ?? bare),
  },
  { pattern: /<(https?:\/\/[^\s<>]+)>/iy, build: ([, url = '']) => literal(url) },
  { pattern: /https?:\/\/[^\s<]*[^\s<>.,:;"')\]*_~|`\\]/iy, build: ([url]) => literal(url) },
  {
    pattern: /<@!?(\d{1,20})>/y,
    build: ([, id = ''], scan) => marked('mention', literal(`@${scan.names.get(id) ?? 'unknown-user'}`), id),
  },
  {
    pattern: /<(#|@&)(\d{1,20})>/y,
    build: ([, sign = '', id = ''], scan) => literal(place(sign, scan.names.get(`${sign}${id}`))),
  },
  { pattern: /<(\/[^:<>\n]{1,100}):\d{1,20}>/y, build: ([, command = '']) => literal(command) },
  { pattern: /<a?(:[A-Za-z0-9_]{1,64}:)\d{1,20}>/y, build: ([, name = '']) => literal(name) },
  {
    pattern: /<t:(-?\d{1,12})(?::[tTdDfFR])?>/y,
    build: ([, seconds]) => literal(timestamp(Number(seconds))),
  },
];

/** The name of a channel or role, or the text that Discord shows for an unknown one. */
function place(sign: string, name: string | undefined): string {
  if (sign === '#') return `#${name ?? 'unknown'}`;
  return name?.startsWith('@') ? name : `@${name ?? 'unknown-role'}`;
}

function timestamp(seconds: number): string {
  return new Date(seconds * 1000)
    .toISOString()
    .replace('T', ' ')
    .replace(/:\d\d\.\d+Z$/, ' UTC');
}

const quoteLines = /(?:> [^\n]*(?:\n(?=> )|$|(?=\n)))+/y;
const quoteRest = />>> ([\s\S]+)/y;
const smallSign = /-# +(?=[^\s])/y;
const headingLine = /(#{1,3}) +([^\s][^\n]*)(?=\n|$)/y;

/** The blocks that a text may contain. Quotes do not nest, and inline marks contain neither blocks nor headings. */
type Blocks = 'all' | 'headings' | 'none';

/** Parses one stretch of the source in one pass. */
class Scan {
  readonly names: Names;
  readonly #source: string;
  readonly #depth: number;
  readonly #blocks: Blocks;
  #at = 0;
  #text = '';
  readonly #spans: Span[] = [];

  constructor(source: string, names: Names, depth: number, blocks: Blocks) {
    this.#source = source;
    this.names = names;
    this.#depth = depth;
    this.#blocks = blocks;
  }

  get afterWord(): boolean {
    return /[A-Za-z0-9_]/.test(this.#source[this.#at - 1] ?? '');
  }

  inner(source: string, blocks: Blocks): Parsed {
    if (this.#depth >= MAX_DEPTH) return literal(source);
    return new Scan(source, this.names, this.#depth + 1, blocks).run();
  }

  run(): Parsed {
    while (this.#at < this.#source.length) {
      if (!this.#quote() && !this.#heading() && !this.#small() && !this.#code() && !this.#rule()) {
        this.#text += this.#source[this.#at];
        this.#at += 1;
      }
    }
    return { text: this.#text, spans: this.#spans };
  }

  #rule(): boolean {
    if (!/[\\`*_~|[<hH]/.test(this.#source[this.#at] ?? '')) return false;
    for (const { pattern, build } of rules) {
      const match = this.#match(pattern);
      const piece = match === null ? undefined : build(match, this);
      if (match === null || piece === undefined) continue;
      this.#append(piece, match[0].length);
      return true;
    }
    return false;
  }

  /** Inline code. Fenced code is a block and is tried first. */
  #code(): boolean {
    if (this.#source[this.#at] !== '`' || this.#match(fence) !== null) return false;
    const found = inlineCode(this.#source, this.#at);
    if (found === undefined) return false;
    const { code, length } = found;
    return this.#append(marked('code', literal(code.replace(/^ (?=`)/, '').replace(/(?<=`) $/, ''))), length);
  }

  /** A quote begins at the start of a line and does not nest. */
  #quote(): boolean {
    if (this.#blocks !== 'all' || !this.#atLineStart) return false;
    const rest = this.#match(quoteRest);
    if (rest !== null)
      return this.#append(marked('quote', this.inner(rest[1] ?? '', 'headings')), rest[0].length);
    const lines = this.#match(quoteLines);
    if (lines === null || lines[0] === '') return false;
    const body = lines[0].replaceAll(/^> /gm, '');
    if (body === '') return false;
    return this.#append(marked('quote', this.inner(body, 'headings')), lines[0].length);
  }

  #heading(): boolean {
    if (this.#blocks === 'none' || !this.#atLineStart) return false;
    const match = this.#match(headingLine);
    if (match === null) return false;
    const [all, signs = '', line = ''] = match;
    return this.#append(
      marked('heading', this.inner(line.trimEnd(), 'none'), String(signs.length)),
      all.length,
    );
  }

  /** Small print is text in another size. */
  #small(): boolean {
    if (this.#blocks === 'none' || !this.#atLineStart) return false;
    const sign = this.#match(smallSign);
    if (sign === null) return false;
    this.#at += sign[0].length;
    return true;
  }

  get #atLineStart(): boolean {
    return this.#at === 0 || this.#source[this.#at - 1] === '\n';
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source);
  }

  #append({ text, spans }: Parsed, consumed: number): true {
    const offset = this.#text.length;
    this.#text += text;
    for (const span of spans)
      this.#spans.push({ ...span, start: span.start + offset, end: span.end + offset });
    this.#at += consumed;
    return true;
  }
}
