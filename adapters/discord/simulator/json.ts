import type { JsonValue } from '../../../src/contract/index.js';

/** Strings, which stay as they are, and integers that JavaScript cannot hold exactly. */
const STRING_OR_ID = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|(?<![\w.+-])\d{16,20}(?![\w.+-])/g;

/**
 * Reads a body or frame. Ids may be numbers, which discord.py sends, and are strings here. Undefined for a text that is no
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
