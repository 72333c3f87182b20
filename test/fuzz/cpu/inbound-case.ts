import type { JsonObject, JsonValue } from '../../../src/contract/index.js';

/** The largest body that a webhook may have. */
export const HOOK_BYTES = 1_048_576;
/** JSON escapes characters of the repeats, so only this part of a body is text. */
const TEXT_BYTES = HOOK_BYTES / 2;

/** One field of one kind of payload, and the function that reads it. */
export interface InboundCase {
  readonly name: string;
  readonly largest: number;
  readonly read: (text: string) => unknown;
}

export const cases = (
  platform: string,
  read: (payload: JsonObject) => unknown,
  payloads: Readonly<Record<string, (text: string) => JsonObject>>,
): InboundCase[] =>
  Object.entries(payloads).map(([field, payload]) => ({
    name: `${platform} ${field}`,
    largest: TEXT_BYTES,
    read: (text) => read(payload(text)),
  }));

/** One element for every `each` bytes of the text, each with its piece of the text. */
export function many(
  text: string,
  each: number,
  element: (piece: string, index: number) => JsonValue,
): JsonValue[] {
  const pieces = Math.max(1, Math.floor(text.length / each));
  return Array.from({ length: pieces }, (_, index) => element(text.slice(index * 4, index * 4 + 4), index));
}

/** The text in pieces of the maximum length that the platform allows. */
export function pieces(text: string, each: number): string[] {
  const count = Math.max(1, Math.ceil(text.length / each));
  return Array.from({ length: count }, (_, index) => text.slice(index * each, (index + 1) * each));
}
