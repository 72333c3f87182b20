/** What makes a JSON text slow to parse: how deep objects and lists lie in one another, how many there are, and how many different names. */
export interface JsonBounds {
  readonly depth: number;
  readonly containers: number;
  readonly names: number;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** Without the one bit by which they differ, braces are brackets. */
const WITHOUT_CASE = 0xdf;
const OPENING = 0x5b;
const CLOSING = 0x5d;

/** Hashes begin somewhere else in each process, so that an attacker can't prepare names that share one. */
const BASIS = Math.floor(Math.random() * 2 ** 32) | 0;
const PRIME = 16_777_619;

/**
 * The first bound that a text exceeds which may be JSON; undefined when there is none. One pass over its bytes: `JSON.parse`
 * takes up to 50 times as long for objects, lists and names that it has not met yet as for as many bytes of text.
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
      // Integers of 30 bits are those that a set keeps without an object for each.
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
