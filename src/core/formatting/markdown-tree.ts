import type { Root } from 'mdast';
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';

/** So many quotes and lists in one another, and pictures in a text; reading more takes the square of their number. */
const MOST_CONTAINERS = 50;
const MOST_IMAGES = 100;

/** A line that begins with more of them than anybody means. */
const DEEP = new RegExp(
  String.raw`^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){${MOST_CONTAINERS + 1}}`,
  'm',
);

/** The tree of a Markdown text. Where quotes and lists are nested without end, or pictures are, those are words like others. */
export function markdownTree(source: string, { extensions, ...options }: Options = {}): Root {
  const disabled = [
    ...(DEEP.test(source) ? ['blockQuote', 'list'] : []),
    ...(source.split('![').length > MOST_IMAGES + 1 ? ['labelStartImage'] : []),
  ];
  const plain = disabled.length === 0 ? [] : [{ disable: { null: disabled } }];
  return fromMarkdown(source, { ...options, extensions: [...(extensions ?? []), ...plain] });
}
