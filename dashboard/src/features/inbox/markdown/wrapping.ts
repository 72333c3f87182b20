/** Replaces a text range and sets the selection. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
  readonly select: { readonly start: number; readonly end: number };
}

/** Formatting keys, pressed with Ctrl or Cmd. */
const MARKS: Readonly<Record<string, string>> = { b: '**', i: '_', e: '`' };
const LINK = 'k';
const ADDRESS = 'https://';

/** The effect of a key on the selection. Undefined if the key does not format. */
export function formatting(key: string, text: string, start: number, end: number): Replacement | undefined {
  const lower = key.toLowerCase();
  if (lower === LINK) return linked(text, start, end);
  const mark = MARKS[lower];
  return mark === undefined ? undefined : marked(mark, text, start, end);
}

/** Adds the mark around the selection, or removes an existing one. */
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

/**
 * A selected URL becomes the link target. Other text becomes the link text. The missing part is selected, or left empty at the
 * cursor.
 */
function linked(text: string, start: number, end: number): Replacement {
  const chosen = text.slice(start, end);
  if (/^https?:\/\/\S+$/.test(chosen)) {
    return { start, end, insert: `[](${chosen})`, select: { start: start + 1, end: start + 1 } };
  }
  const address = start + chosen.length + 3;
  const select = { start: address, end: address + ADDRESS.length };
  return { start, end, insert: `[${chosen}](${ADDRESS})`, select };
}
