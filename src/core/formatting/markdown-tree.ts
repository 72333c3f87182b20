import type { Root } from 'mdast';
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';
import { containersIn, isTooHeavy, linesOf } from './markdown-weight.js';

/** Maximum depth of quotes and lists, and maximum number of images. The parse time grows with the square of these numbers. */
const MAX_CONTAINERS = 50;
const MAX_IMAGES = 100;

/**
 * The syntax tree of a Markdown text. Undefined for a text that would take too long to parse, which is shown as plain text. If
 * only quotes, lists or images are too many, only these become plain text.
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

/** Whether a line begins with too many nested quotes and list items. */
function isTooDeep(source: string): boolean {
  return linesOf(source).some((line) => containersIn(line).all > MAX_CONTAINERS);
}
