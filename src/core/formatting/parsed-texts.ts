import { LRUCache } from 'lru-cache';

/** Characters of the texts whose parsed forms are kept. */
const MAX_CHARACTERS = 2_097_152;

/**
 * The same parser, which keeps what it returned for the latest texts. A message is read for each recipient, event and
 * reader; its revisions differ in their text, so that the text is the key.
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
