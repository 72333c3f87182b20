import { type Content, plainContent, splitContent } from '../../contract/index.js';
import { contentFromMarkdown } from '../formatting/markdown.js';
import type { Platforms } from '../platforms/catalogue.js';
import { billedUnits } from '../platforms/definition-hooks.js';
import type { RenderPreview } from './dry-run.js';

/** How a platform would show the text of a broadcast, according to the definition of its adapter. */
export function renderPreviewOf(platforms: Platforms): RenderPreview {
  return (platform, text, contentType) => {
    const definition = platforms.find(platform);
    const limits = definition?.capabilities.text;
    const content = contentType === 'markdown' ? contentFromMarkdown(text) : plainContent(text);
    if (limits === undefined) return { parts: 1, degradations: [] };
    const billed = billedUnits(definition, content.text);
    return {
      parts: splitContent(content, limits.max, limits.unit).length,
      degradations: marksOf(content)
        .filter((mark) => limits.formats[mark] === 'dropped')
        .map((mark) => `format.${mark}`),
      ...(billed === undefined ? {} : { billed }),
    };
  };
}

function marksOf(content: Content) {
  return [...new Set(content.spans.map((span) => span.mark))].sort();
}
