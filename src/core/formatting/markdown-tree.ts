import type { Root } from 'mdast';
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';
import { containersIn, isTooHeavy, linesOf } from './markdown-weight.js';

/** Quotes and lists inside each other, and images in a text; parsing more takes the square of their number. */
const MAX_CONTAINERS = 50;
const MAX_IMAGES = 100;

/**
 * The tree of a Markdown text, undefined for one that would take too long to parse: it is shown as plain text. Where
 * quotes, lists or images are too many, they alone are plain text.
 */
export function markdownTree(source: string, { extensions, ...options }: Options = {}): Root | undefined {
  const isDeep = isTooDeep(source);
  if (isTooHeavy(source, !isDeep)) return undefined;
  const disabled = [
    ...(isDeep ? ['blockQuote', 'list'] : []),
    ...(source.split('![').length > MAX_IMAGES + 1 ? ['labelStartImage'] : []),
  ];
  const plain = disabled.length === 0 ? [] : [{ disable: { null: disabled } }];
  return fromMarkdown(source, { ...options, extensions: [...(extensions ?? []), ...plain] });
}

/** Whether a line begins with an absurd number of nested quotes and list items. */
function isTooDeep(source: string): boolean {
  return linesOf(source).some((line) => containersIn(line).all > MAX_CONTAINERS);
}
