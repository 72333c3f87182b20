import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { countryOf, readXmltvTime } from './xmltv-values.js';

/** Entries of a guide (https://wiki.xmltv.org/index.php/XMLTVFormat), with the field names of the database. */
export interface Guide {
  readonly networks: readonly GuideNetwork[];
  readonly programmes: readonly GuideProgramme[];
}

export interface GuideNetwork {
  readonly id: string;
  readonly name: string;
  readonly languages: readonly string[];
  readonly country: string | null;
  readonly icon_url: string | null;
}

export interface GuideProgramme {
  readonly id: string;
  readonly network_id: string;
  readonly title: string;
  readonly start_at: string;
  /** Null: the start of the next programme. */
  readonly end_at: string | null;
  readonly categories: readonly string[];
  readonly description: string | null;
  readonly icon_url: string | null;
}

/** The text is not well-formed, or not a guide. */
export class GuideError extends Error {
  override readonly name = 'GuideError';
}

/** A channel or programme that is being parsed. */
interface Entry {
  readonly kind: 'channel' | 'programme';
  readonly attributes: Readonly<Record<string, string>>;
  readonly texts: { readonly name: string; readonly lang: string | undefined; readonly text: string }[];
  icon: string | null;
}

const MAX_LENGTHS = { id: 256, title: 1_000, description: 10_000, category: 256 };
const MAX_PARTS = 20;
const KEPT = new Set(['display-name', 'title', 'desc', 'category']);

/** Parses a guide piece by piece. {@link take} returns the complete entries and removes them. */
export class XmltvReader {
  readonly #parser = new SaxesParser();
  #depth = 0;
  #entry: Entry | undefined;
  #text = '';
  #networks: GuideNetwork[] = [];
  #programmes: GuideProgramme[] = [];

  constructor() {
    // HTML entities are common and harmless, so they stay as they are. Without this, the parser raises an error for each.
    this.#parser.ENTITIES = new Proxy(this.#parser.ENTITIES, {
      get: (known, name: string) => known[name] ?? `&${name};`,
    });
    this.#parser.on('error', (error) => {
      throw new GuideError(error.message);
    });
    this.#parser.on('opentag', (tag) => this.#open(tag));
    this.#parser.on('text', (text) => this.#read(text));
    this.#parser.on('cdata', (text) => this.#read(text));
    this.#parser.on('closetag', (tag) => this.#close(tag));
  }

  /** Raises GuideError. */
  write(piece: string): void {
    this.#parser.write(piece);
  }

  /** Marks the end of the text. Raises GuideError if something is missing. */
  end(): void {
    this.#parser.close();
  }

  /** Number of complete entries that are not taken yet. */
  get waiting(): number {
    return this.#networks.length + this.#programmes.length;
  }

  take(): Guide {
    const taken = { networks: this.#networks, programmes: this.#programmes };
    this.#networks = [];
    this.#programmes = [];
    return taken;
  }

  #open({ name, attributes }: SaxesTagPlain): void {
    this.#depth += 1;
    if (this.#depth === 1 && name !== 'tv') throw new GuideError(`Expected tv, found ${name.slice(0, 64)}.`);
    if (this.#depth === 2 && (name === 'channel' || name === 'programme')) {
      this.#entry = { kind: name, attributes, texts: [], icon: null };
    } else if (this.#depth === 3 && this.#entry !== undefined) {
      this.#text = '';
      if (name === 'icon') this.#entry.icon ??= webUrl(attributes.src);
    }
  }

  #read(text: string): void {
    if (this.#depth === 3 && this.#text.length < MAX_LENGTHS.description) this.#text += text;
  }

  #close({ name, attributes }: SaxesTagPlain): void {
    const entry = this.#entry;
    if (this.#depth === 3 && entry !== undefined && KEPT.has(name) && entry.texts.length < MAX_PARTS) {
      const text = this.#text.replace(/\s+/g, ' ').trim();
      if (text !== '') entry.texts.push({ name, lang: attributes.lang, text });
    } else if (this.#depth === 2 && entry !== undefined) {
      this.#add(entry);
      this.#entry = undefined;
    }
    this.#depth -= 1;
  }

  #add(entry: Entry): void {
    if (entry.kind === 'channel') {
      const network = networkOf(entry);
      if (network !== undefined) this.#networks.push(network);
    } else {
      const programme = programmeOf(entry);
      if (programme !== undefined) this.#programmes.push(programme);
    }
  }
}

/** Undefined if the channel has no usable id. */
function networkOf({ attributes, texts, icon }: Entry): GuideNetwork | undefined {
  const id = attributes.id ?? '';
  if (id === '' || id.length > MAX_LENGTHS.id) return undefined;
  const languages = texts.flatMap(({ lang }) => localeOf(lang) ?? []);
  return {
    id,
    name: cut(texts[0]?.text ?? id, MAX_LENGTHS.title),
    languages: [...new Set(languages)],
    country: countryOf(id) ?? null,
    icon_url: icon,
  };
}

/** Undefined if the programme has no network or title, or its times are not valid. */
function programmeOf({ attributes, texts, icon }: Entry): GuideProgramme | undefined {
  const start = readXmltvTime(attributes.start ?? '');
  const stop = attributes.stop === undefined ? null : readXmltvTime(attributes.stop);
  const title = texts.find(({ name }) => name === 'title')?.text;
  const description = texts.find(({ name }) => name === 'desc')?.text;
  const network = attributes.channel ?? '';
  if (start === undefined || stop === undefined || title === undefined || network === '') return undefined;
  if (stop !== null && stop <= start) return undefined;
  const categories = texts.filter(({ name }) => name === 'category').map(({ text }) => text);
  return {
    id: `${network}@${start.toISOString().replace(/[-:]|\.\d+/g, '')}`,
    network_id: network,
    title: cut(title, MAX_LENGTHS.title),
    start_at: start.toISOString(),
    end_at: stop?.toISOString() ?? null,
    categories: [...new Set(categories.map((text) => cut(text, MAX_LENGTHS.category)))],
    description: description === undefined ? null : cut(description, MAX_LENGTHS.description),
    icon_url: icon,
  };
}

/** Shortens a text. Half of a surrogate pair at the end becomes U+FFFD. */
function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).toWellFormed();
}

function localeOf(lang: string | undefined): string | undefined {
  try {
    return lang === undefined ? undefined : Intl.getCanonicalLocales(lang.replace('_', '-'))[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function webUrl(text: string | undefined): string | null {
  if (text === undefined || text.length > 2_048 || !URL.canParse(text)) return null;
  return /^https?:$/.test(new URL(text).protocol) ? text : null;
}
