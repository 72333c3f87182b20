import type { JsonValue } from '../../contract/index.js';
import { isStorableText, storableText } from '../common/storable-text.js';

/** The JSON escapes of U+0000 and of surrogates. A text that mentions them literally is only checked more closely. */
const UNCLEAN = /\\u(?:0000|d[89a-f])/;

/** Larger than the payload of any platform. */
const MAX_JSON_LENGTH = 16 * 1024 * 1024;

/** A value that can't be stored, because it is not JSON or too large. */
export class UnstorableJson extends TypeError {
  override readonly name = 'UnstorableJson';
}

/**
 * Returns a copy that PostgreSQL can store. U+0000 and unpaired surrogates become U+FFFD, also in names. Other values do not
 * change. Platforms send such characters only by accident or malice. Raises UnstorableJson.
 */
export function cleanJson<T>(value: T): T {
  const text = written(value);
  if (!UNCLEAN.test(text)) return JSON.parse(text) as T;
  return JSON.parse(text, (_key, entry: JsonValue) => {
    if (typeof entry === 'string') return storableText(entry);
    if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) return entry;
    return Object.keys(entry).every(isStorableText)
      ? entry
      : Object.fromEntries(Object.entries(entry).map(([name, part]) => [storableText(name), part]));
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
