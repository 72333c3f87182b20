import type { JsonValue } from '../../contract/index.js';

/** As JSON writes both; whoever writes about them is only looked at more closely. */
const UNCLEAN = /\\u(?:0000|d[89a-f])/;

/**
 * A copy that PostgreSQL can hold: U+0000 and unpaired surrogates become U+FFFD, in names as well; other values stay.
 * Platforms send them only by accident or malice.
 */
export function cleanJson<T>(value: T): T {
  const text = JSON.stringify(value);
  if (!UNCLEAN.test(text)) return JSON.parse(text) as T;
  return JSON.parse(text, (_key, entry: JsonValue) => {
    if (typeof entry === 'string') return cleanText(entry);
    if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) return entry;
    return Object.keys(entry).every((name) => cleanText(name) === name)
      ? entry
      : Object.fromEntries(Object.entries(entry).map(([name, part]) => [cleanText(name), part]));
  }) as T;
}

function cleanText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}
