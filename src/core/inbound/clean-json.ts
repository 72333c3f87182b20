import type { JsonValue } from '../../contract/index.js';

/** As JSON writes both. A text that mentions them is only examined more closely. */
const UNCLEAN = /\\u(?:0000|d[89a-f])/;

/** Larger than what any platform sends. */
const MAX_JSON_LENGTH = 16 * 1024 * 1024;

/** A value that can't be stored: it is no JSON, or too much of it. */
export class UnstorableJson extends TypeError {
  override readonly name = 'UnstorableJson';
}

/**
 * A copy that PostgreSQL can hold: U+0000 and unpaired surrogates become U+FFFD, in names as well; other values stay.
 * Platforms send them only by accident or malice. Raises UnstorableJson.
 */
export function cleanJson<T>(value: T): T {
  const text = written(value);
  if (!UNCLEAN.test(text)) return JSON.parse(text) as T;
  return JSON.parse(text, (_key, entry: JsonValue) => {
    if (typeof entry === 'string') return cleanText(entry);
    if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) return entry;
    return Object.keys(entry).every((name) => cleanText(name) === name)
      ? entry
      : Object.fromEntries(Object.entries(entry).map(([name, part]) => [cleanText(name), part]));
  }) as T;
}

function written(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new UnstorableJson('must be JSON', { cause });
  }
  if (text === undefined) throw new UnstorableJson('must be JSON');
  if (text.length > MAX_JSON_LENGTH) throw new UnstorableJson('must have at most 16 MiB of JSON');
  return text;
}

function cleanText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}
