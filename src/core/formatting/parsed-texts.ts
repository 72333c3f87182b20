import { LRUCache } from 'lru-cache';

/** Maximum total length of the texts whose parsed forms are kept. */
const MAX_CHARACTERS = 2_097_152;

/**
 * Adds a cache of the latest texts to a parser. A message is parsed for each recipient, event and reader. The text is the key,
 * because revisions of a message differ in their text.
 */
export function rememberingTexts<Parsed extends object>(parse: (text: string) => Parsed) {
  const parsed = new LRUCache<string, Parsed>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_parsed, text) => text.length + 1,
  });
  return (text: string): Parsed => {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    const made = parse(text);
    parsed.set(text, made);
    return made;
  };
}
