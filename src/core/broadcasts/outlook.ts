import { type Content, plainContent, splitContent } from '../../contract/index.js';
import { contentFromMarkdown } from '../formatting/markdown.js';
import type { Platforms } from '../platforms/catalogue.js';
import type { Outlook } from './dry-run.js';

/** How a broadcast's text would look on a platform, from what its adapter declares. */
export function outlookOf(platforms: Platforms): Outlook {
  return (platform, text, contentType) => {
    const definition = platforms.find(platform);
    const limits = definition?.capabilities.text;
    const billing = definition?.billing;
    const content = contentType === 'markdown' ? contentFromMarkdown(text) : plainContent(text);
    if (limits === undefined) return { parts: 1, degradations: [] };
    return {
      parts: splitContent(content, limits.max, limits.unit).length,
      degradations: marksOf(content)
        .filter((mark) => limits.formats[mark] === 'dropped')
        .map((mark) => `format.${mark}`),
      ...(billing === undefined
        ? {}
        : { billed: { unit: billing.unit, count: billing.count(content.text) } }),
    };
  };
}

function marksOf(content: Content) {
  return [...new Set(content.spans.map((span) => span.mark))].sort();
}
