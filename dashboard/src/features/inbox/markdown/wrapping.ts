/** A change of a text: what replaces a part of it, and what is selected then. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
  readonly select: { readonly start: number; readonly end: number };
}

/** The keys that format, with Ctrl or Cmd. */
const MARKS: Readonly<Record<string, string>> = { b: '**', i: '_', e: '`' };
const LINK = 'k';
const ADDRESS = 'https://';

/** What a key does to the selection; undefined when it formats nothing. */
export function formatting(key: string, text: string, start: number, end: number): Replacement | undefined {
  const lower = key.toLowerCase();
  if (lower === LINK) return linked(text, start, end);
  const mark = MARKS[lower];
  return mark === undefined ? undefined : marked(mark, text, start, end);
}

/** Puts the mark around the selection, or takes it away where it is there already. */
function marked(mark: string, text: string, start: number, end: number): Replacement {
  const { length } = mark;
  const chosen = text.slice(start, end);
  const isMarked = text.slice(start - length, start) === mark && text.slice(end, end + length) === mark;
  if (isMarked && start >= length) {
    const select = { start: start - length, end: end - length };
    return { start: start - length, end: end + length, insert: chosen, select };
  }
  const insert = mark + chosen + mark;
  return { start, end, insert, select: { start: start + length, end: end + length } };
}

/** A chosen address becomes the target, and other text becomes the words. What is missing is selected or left to write. */
function linked(text: string, start: number, end: number): Replacement {
  const chosen = text.slice(start, end);
  if (/^https?:\/\/\S+$/.test(chosen)) {
    return { start, end, insert: `[](${chosen})`, select: { start: start + 1, end: start + 1 } };
  }
  const address = start + chosen.length + 3;
  const select = { start: address, end: address + ADDRESS.length };
  return { start, end, insert: `[${chosen}](${ADDRESS})`, select };
}
