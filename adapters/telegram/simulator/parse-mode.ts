import type { FormattedText } from './entities.js';
import { ParseError } from './parse-error.js';
import { parseHtml } from './parse-html.js';
import { parseMarkdown } from './parse-markdown.js';
import { parseMarkdownV2 } from './parse-markdown-v2.js';

/** Parses a text in the given mode (https://core.telegram.org/bots/api#formatting-options). */
export function parsed(text: string, mode: string): FormattedText | string {
  const parser = parsers[mode.toLowerCase()];
  if (parser === undefined) return 'unsupported parse_mode';
  try {
    return parser(text);
  } catch (error) {
    if (error instanceof ParseError) return `can't parse entities: ${error.message}`;
    throw error;
  }
}

const parsers: Readonly<Record<string, (text: string) => FormattedText>> = {
  html: parseHtml,
  markdown: parseMarkdown,
  markdownv2: parseMarkdownV2,
};
