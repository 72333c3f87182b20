import type { Root } from 'mdast';
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';

/** Quotes and lists inside each other, and images in a text; parsing more takes the square of their number. */
const MOST_CONTAINERS = 50;
const MOST_IMAGES = 100;

/**
 * The parser's time grows with the square of the number of blocks, of links and of emphasis marks. The worst text of this
 * weight, 400 quotes of one letter, took 44 ms of processor time on a busy machine of two cores (the least of 15 measurements;
 * the median was 57 ms). `npm run fuzz` fails above 100 ms. A list of 400 items weighs as much.
 */
const HEAVIEST = 2_400;
const LINE_WEIGHT = 2;
const BLOCK_WEIGHT = 4;
/** A run of the same character counts once. */
const RUN_WEIGHTS: Readonly<Record<string, number>> = { '*': 3, _: 3, '~': 3, '`': 1 };
const MARK_WEIGHTS: Readonly<Record<string, number>> = { '[': 1, ']': 4, '<': 4, '&': 1, '\\': 1 };
const BLOCK_START = new Set('>-+*#=~`|<[ \t0123456789');

/**
 * The tree of a Markdown text, undefined for one that would take too long to parse: it is shown as plain text. Where
 * quotes, lists or images are too many, they alone are plain text.
 */
export function markdownTree(source: string, { extensions, ...options }: Options = {}): Root | undefined {
  if (isTooHeavy(source)) return undefined;
  const disabled = [
    ...(isTooDeep(source) ? ['blockQuote', 'list'] : []),
    ...(source.split('![').length > MOST_IMAGES + 1 ? ['labelStartImage'] : []),
  ];
  const plain = disabled.length === 0 ? [] : [{ disable: { null: disabled } }];
  return fromMarkdown(source, { ...options, extensions: [...(extensions ?? []), ...plain] });
}

function isTooHeavy(source: string): boolean {
  let weight = 0;
  let before = '\n';
  let afterBlankLine = true;
  for (const character of source) {
    if (character === '\n' || character === '\r') {
      afterBlankLine = before === '\n' || before === '\r';
    } else {
      if (before === '\n' || before === '\r') {
        weight += LINE_WEIGHT + (afterBlankLine || BLOCK_START.has(character) ? BLOCK_WEIGHT : 0);
      }
      weight += MARK_WEIGHTS[character] ?? 0;
      if (character !== before) weight += RUN_WEIGHTS[character] ?? 0;
    }
    if (weight > HEAVIEST) return true;
    before = character;
  }
  return false;
}

/** Whether a line begins with an absurd number of nested quotes and list items. */
function isTooDeep(source: string): boolean {
  return source.split(/\r\n|\n|\r/).some((line) => containersOf(line) > MOST_CONTAINERS);
}

const CONTAINER = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))/y;

function containersOf(line: string): number {
  CONTAINER.lastIndex = 0;
  let found = 0;
  while (CONTAINER.test(line)) found += 1;
  return found;
}
