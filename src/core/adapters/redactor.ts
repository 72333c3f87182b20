import { type ChatSummary, PlatformError, type RemoteIdentity } from '../../contract/index.js';
import { storableText } from '../common/storable-text.js';
import { basicForms, formsOf, SEARCHED_FROM, type Secrets } from './secret-forms.js';

const REDACTED = '***';
/** Length of the prefix that identifies a long secret, since a text may be truncated within the secret. */
const HEAD = 12;
const MIN_HEADED_LENGTH = 20;
/** A longer text is truncated before it is searched. */
const MAX_TEXT_LENGTH = 65_536;
/** Maximum length of the texts of an error, which deliveries and events contain. */
const MAX_ERROR_LENGTH = 2_000;
const MAX_CAUSE_DEPTH = 4;
/** Number of levels of a value that are kept. Deeper levels are omitted. */
const MAX_VALUE_DEPTH = 5;
/** Maximum number of values over all levels. */
const MAX_VALUES = 500;
const MAX_NAME_LENGTH = 100;

/**
 * Removes the secrets of one connection from every string that its adapter passes to the bridge, both in plain form and
 * as encoded in URLs, headers and JSON. All redaction is done here.
 */
export class Redactor {
  readonly #pattern: RegExp | undefined;
  readonly #secrets: readonly string[];

  constructor({ secrets, names }: Secrets) {
    this.#secrets = secrets.filter((secret) => secret !== '');
    const patterns = [...searched(this.#secrets), ...assigned(this.#secrets, names)];
    // regexp: the patterns are the secrets themselves, with bounded repeats before them.
    this.#pattern = patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), 'gi');
  }

  /** Removes secrets, then truncates the text to `maxLength` characters. The database can store the result. */
  text(text: string, maxLength = MAX_TEXT_LENGTH): string {
    const within = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
    if (this.#secrets.includes(within)) return REDACTED;
    const clean = this.#pattern === undefined ? within : within.replace(this.#pattern, replaced);
    return storableText(clean.length > maxLength ? clean.slice(0, maxLength) : clean);
  }

  /** A copy of an adapter's fields without secrets, bounded in depth, number and length. The fields may contain cycles. */
  fields(fields: object, maxTextLength = MAX_TEXT_LENGTH): Record<string, unknown> {
    return this.#entries(fields, { depth: MAX_VALUE_DEPTH, values: MAX_VALUES, maxTextLength });
  }

  #entries(fields: object, bounds: Bounds): Record<string, unknown> {
    const below = deeper(bounds);
    const clean: [string, unknown][] = [];
    for (const [key, value] of Object.entries(fields)) {
      if (below.values <= 0) break;
      clean.push([this.text(key, MAX_NAME_LENGTH), this.#value(value, below)]);
    }
    bounds.values = below.values;
    return Object.fromEntries(clean);
  }

  #value(value: unknown, bounds: Bounds): unknown {
    bounds.values -= 1;
    const text = (some: string) => this.text(some, bounds.maxTextLength);
    if (typeof value === 'string') return text(value);
    if (value instanceof Error)
      return { name: this.text(value.name, MAX_NAME_LENGTH), message: text(String(value.message)) };
    if (typeof value === 'bigint' || typeof value === 'symbol') return text(String(value));
    if (typeof value === 'number') return this.#secrets.includes(String(value)) ? REDACTED : value;
    if (value === null || typeof value !== 'object')
      return typeof value === 'function' ? '[function]' : value;
    if (bounds.depth <= 0) return '[…]';
    if (value instanceof Date || value instanceof URL) return text(String(value));
    return Array.isArray(value) ? this.#items(value, bounds) : this.#entries(value, bounds);
  }

  #items(items: readonly unknown[], bounds: Bounds): unknown[] {
    const below = deeper(bounds);
    const clean: unknown[] = [];
    for (const item of items) {
      if (below.values <= 0) break;
      clean.push(this.#value(item, below));
    }
    bounds.values = below.values;
    return clean;
  }

  /** A JSON value with secrets removed from its strings. Other values are unchanged. */
  json<Json>(value: Json): Json {
    const written = JSON.stringify(value) ?? '';
    return this.#holdsNone(written) ? value : (this.#value(value, boundless()) as Json);
  }

  #holdsNone(text: string): boolean {
    return this.#pattern === undefined || text.search(this.#pattern) === -1;
  }

  identity({ externalId, handle, name }: RemoteIdentity): RemoteIdentity {
    return {
      externalId: this.text(externalId, 255) as RemoteIdentity['externalId'],
      ...(typeof handle === 'string' ? { handle: this.text(handle, 255) } : {}),
      ...(typeof name === 'string' ? { name: this.text(name, 255) } : {}),
    };
  }

  chat(found: ChatSummary | undefined): ChatSummary {
    const title: unknown = found?.title;
    return typeof title === 'string' && title !== '' ? { title: this.text(title, 256) } : {};
  }

  /**
   * The same error if it contains no secret, otherwise a copy without secrets. Of another thrown value only a text is kept,
   * because an object may contain anything.
   */
  error(cause: unknown, depth = MAX_CAUSE_DEPTH): unknown {
    if (cause == null && depth < MAX_CAUSE_DEPTH) return cause;
    if (typeof cause === 'string') return this.text(cause, MAX_ERROR_LENGTH);
    if (!(cause instanceof Error)) return new TypeError('A value was thrown that is not an Error.');
    return cause instanceof PlatformError
      ? this.#platformError(cause, depth)
      : this.#plainError(cause, depth);
  }

  #platformError(error: PlatformError, depth: number): PlatformError {
    const { problem, dispatched, fix, code } = error;
    const clean = {
      message: this.text(String(error.message), MAX_ERROR_LENGTH),
      fix: fix === undefined ? undefined : this.text(String(fix), MAX_ERROR_LENGTH),
      code: code === undefined ? undefined : this.text(String(code), MAX_ERROR_LENGTH),
      stack: this.text(error.stack ?? ''),
      cause: depth === 0 ? undefined : this.error(error.cause, depth - 1),
    };
    const isClean =
      clean.message === error.message &&
      clean.fix === fix &&
      clean.code === code &&
      clean.stack === (error.stack ?? '') &&
      clean.cause === error.cause;
    if (isClean) return error;
    const copy = new PlatformError(problem, {
      dispatched,
      message: clean.message,
      ...(clean.fix === undefined ? {} : { fix: clean.fix }),
      ...(clean.code === undefined ? {} : { code: clean.code }),
      ...(clean.cause === undefined ? {} : { cause: clean.cause }),
    });
    copy.stack = clean.stack;
    return copy;
  }

  #plainError(error: Error & { readonly code?: unknown }, depth: number): Error {
    const { code } = error;
    const message = this.text(String(error.message));
    const stack = this.text(error.stack ?? '');
    const cause = depth === 0 ? undefined : this.error(error.cause, depth - 1);
    const cleanCode = typeof code === 'string' ? this.text(code) : code;
    const isClean =
      message === error.message &&
      stack === (error.stack ?? '') &&
      cause === error.cause &&
      cleanCode === code;
    if (isClean) return error;
    const copy = new Error(message, cause === undefined ? {} : { cause });
    copy.stack = stack;
    return Object.assign(
      copy,
      { name: this.text(error.name, MAX_NAME_LENGTH) },
      cleanCode === undefined ? {} : { code: cleanCode },
    );
  }
}

/** Redactors of the active connections of this process. An uncaught error may belong to any of them. */
export const liveRedactors = new Set<Redactor>();

/** An error of an unknown connection, with the secrets of all connections removed. */
export function redactedByAll(error: unknown): unknown {
  return [...liveRedactors].reduce((clean, redactor) => redactor.error(clean), error);
}

/** For code that has no credentials. */
export const noSecrets = new Redactor({ secrets: [], names: [] });

interface Bounds {
  readonly depth: number;
  readonly maxTextLength: number;
  /** Number of values that may still be kept. */
  values: number;
}

const deeper = (bounds: Bounds): Bounds => ({ ...bounds, depth: bounds.depth - 1 });

function boundless(): Bounds {
  const none = Number.POSITIVE_INFINITY;
  return { depth: none, values: none, maxTextLength: MAX_TEXT_LENGTH };
}

/** Keeps the text before the secret in a match of an assignment. */
function replaced(_match: string, before?: unknown): string {
  return typeof before === 'string' ? `${before}${REDACTED}` : REDACTED;
}

/** Patterns of long secrets, which are matched anywhere. The longest come first, because one form may be a part of another. */
function searched(secrets: readonly string[]): string[] {
  const long = secrets.filter((secret) => secret.length >= SEARCHED_FROM);
  const heads = long
    .filter((secret) => secret.length >= MIN_HEADED_LENGTH)
    .map((secret) => secret.slice(0, HEAD));
  const forms = [...new Set(long.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return [...forms.map(escaped), ...heads.map((head) => `${escaped(head)}[^\\s"'<>&;,)\\]}]*`)];
}

/** Patterns of short secrets, which are matched only as a separate value: `pin=1234`, `"pin": "1234"`, `user:1234@`. */
function assigned(secrets: readonly string[], names: readonly string[]): string[] {
  const short = secrets.filter((secret) => secret.length < SEARCHED_FROM);
  if (short.length === 0) return [];
  const forms = short.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())]);
  const values = [...new Set(forms)].sort((a, b) => b.length - a.length).map(escaped);
  const basic = [...new Set(short.flatMap((secret) => basicForms(secret, names)))].map(escaped);
  return [`([=:]\\s{0,4}["']?|\\bBearer )(?:${values.join('|')})(?![\\w-])`, ...basic];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
