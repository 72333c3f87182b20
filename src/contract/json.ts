/** Values that survive a round trip through JSON. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** Limits the nesting of a value: deeper parts become null. Returns the same value if nothing is deeper. */
export function withinLevels<Value extends JsonValue | undefined>(value: Value, levels: number): Value {
  return (isDeeper(value, levels) ? cutBelow(value, levels) : value) as Value;
}

function isDeeper(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function cutBelow(value: JsonValue | undefined, levels: number): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((part: JsonValue) => cutBelow(part, levels - 1) ?? null);
  const entries = Object.entries(value).map(([name, part]) => [name, cutBelow(part, levels - 1)]);
  return Object.fromEntries(entries) as JsonObject;
}

/**
 * Parses a saved state. Returns undefined for text that is not JSON, because a damaged state must not stop the connection.
 * The caller validates the value, and treats undefined as a loss if there was a text.
 */
export function savedJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
