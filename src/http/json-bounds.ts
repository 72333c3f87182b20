/**
 * Limits for properties that make a JSON text slow to parse: its depth, the number of objects and lists, and the number of
 * distinct names.
 */
export interface JsonBounds {
  readonly depth: number;
  readonly containers: number;
  readonly names: number;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** Mask that removes the only bit in which braces and brackets differ. */
const WITHOUT_CASE = 0xdf;
const OPENING = 0x5b;
const CLOSING = 0x5d;

/** The first value of a hash. It is different in each process, so that an attacker can't prepare names with the same hash. */
const BASIS = Math.floor(Math.random() * 2 ** 32) | 0;
const PRIME = 16_777_619;

/**
 * The first limit that a text exceeds. Undefined when there is none. The text may be invalid JSON. The check is one pass over
 * the bytes. `JSON.parse` needs up to 50 times as long for new objects, lists and names as for the same number of bytes of
 * text.
 */
export function exceededBound(text: Buffer, bounds: JsonBounds): keyof JsonBounds | undefined {
  const names = new Set<number>();
  let [depth, containers, hash] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] as number;
    if (byte === QUOTE) {
      hash = BASIS;
      for (at += 1; at < text.length && text[at] !== QUOTE; at += 1) {
        if (text[at] === BACKSLASH) at += 1;
        hash = Math.imul(hash ^ (text[at] ?? 0), PRIME);
      }
    } else if (byte === COLON) {
      // A set stores integers of 30 bits without an object for each.
      names.add(hash >>> 2);
      if (names.size > bounds.names) return 'names';
    } else if ((byte & WITHOUT_CASE) === OPENING) {
      containers += 1;
      depth += 1;
      if (depth > bounds.depth) return 'depth';
      if (containers > bounds.containers) return 'containers';
    } else if ((byte & WITHOUT_CASE) === CLOSING) {
      depth -= 1;
    }
  }
  return undefined;
}
