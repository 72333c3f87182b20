import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';

/** Members write up to 10,000 characters. Platforms may send more. */
const MAX_LENGTH = 20_000;
/**
 * The parse time grows with the square of the number of lines and marks, so a text with too many of them is not parsed. At this
 * weight the worst text takes about 10 ms.
 */
const HEAVIEST = 1_200;
const LINE_WEIGHT = 6;
const MARK_WEIGHT = 4;
const MARKS = new Set('*_~`[]<>&\\!');
/** Maximum nesting depth of quotes and lists. */
const DEEPEST = 20;

/** Parses a Markdown text with the grammar of the service. Returns undefined for a text that must be shown as it is. */
export function treeOf(source: string, parse = parseMarkdown): Root | undefined {
  if (source.length > MAX_LENGTH || isTooHeavy(source) || isTooDeep(source)) return undefined;
  return parse(source);
}

/** Slow for some texts. `treeOf` does not pass such texts. */
export const parseMarkdown = (source: string): Root =>
  fromMarkdown(source, {
    extensions: [gfmStrikethrough()],
    mdastExtensions: [gfmStrikethroughFromMarkdown()],
  });

function isTooHeavy(source: string): boolean {
  let weight = 0;
  for (let at = 0; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '\n' || character === '\r') weight += LINE_WEIGHT;
    else if (MARKS.has(character)) weight += MARK_WEIGHT;
    if (weight > HEAVIEST) return true;
  }
  return false;
}

const CONTAINER = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))/y;

function isTooDeep(source: string): boolean {
  return source.split(/\r\n|\n|\r/).some((line) => containersOf(line) > DEEPEST);
}

function containersOf(line: string): number {
  CONTAINER.lastIndex = 0;
  let found = 0;
  while (found <= DEEPEST && CONTAINER.test(line)) found += 1;
  return found;
}
