import type { JsonValue } from '../../../src/contract/index.js';

/** Matches strings, which are kept, and integers that JavaScript may not represent exactly. */
const STRING_OR_ID = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|(?<![\w.+-])\d{16,20}(?![\w.+-])/g;

/**
 * Parses a body or frame. Ids that are sent as numbers, as discord.py does, become strings. Undefined if the text is not
 * JSON.
 */
export function readJson(text: string): JsonValue | undefined {
  try {
    const exact = text.replaceAll(STRING_OR_ID, (token) => (token.startsWith('"') ? token : `"${token}"`));
    return JSON.parse(exact) as JsonValue;
  } catch {
    return undefined;
  }
}
