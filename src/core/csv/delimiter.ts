import type { CsvFile } from './read-csv.js';

const DELIMITERS = [',', ';', '\t'] as const;
/** Maximum size of a header. */
const MAX_BYTES = 65_536;

/**
 * The delimiter that occurs most often outside quotes in the first line with text. A line without delimiters has one
 * column.
 */
export async function delimiterOf(file: CsvFile): Promise<string> {
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let [isQuoted, hasText] = [false, false];
  for (const character of await beginningOf(file)) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '\n' || character === '\r') {
      if (hasText) break;
      continue;
    }
    hasText = true;
    const count = counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  const [mostFrequent = [',', 0]] = [...counts].sort(([, one], [, other]) => other - one);
  return mostFrequent[0];
}

async function beginningOf(file: CsvFile): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of file()) {
    text += decoder.decode(piece, { stream: true });
    if (text.length >= MAX_BYTES) break;
  }
  return text;
}
