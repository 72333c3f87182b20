/** Readers of untyped values. A value of another type counts as absent. */

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function listOf(value: unknown, limit: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, limit) : [];
}

/** A non-empty text. */
export function wordsOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A web address. */
export function addressOf(value: unknown): string | undefined {
  const words = wordsOf(value);
  return words !== undefined && words.length <= 2_048 && /^https?:\/\/\S+$/.test(words) ? words : undefined;
}
