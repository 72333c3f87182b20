import { type AdapterDefinition, type Content, plainContent, splitContent } from '../../contract/index.js';
import { AdapterDefect, HookRunner } from '../adapters/hook-runner.js';
import { noSecrets } from '../adapters/redactor.js';
import { contentFromMarkdown } from '../formatting/markdown.js';
import type { Platforms } from '../platforms/catalogue.js';
import type { RenderPreview } from './dry-run.js';

/** How a platform would show the text of a broadcast, according to the definition of its adapter. */
export function renderPreviewOf(platforms: Platforms): RenderPreview {
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
      ...(billing === undefined ? {} : billed(platform, billing, content.text)),
    };
  };
}

/** Empty if the adapter fails to count the billed units. */
function billed(platform: string, { unit, count }: NonNullable<AdapterDefinition['billing']>, text: string) {
  const runner = new HookRunner({ adapter: platform, redactor: noSecrets });
  try {
    return { billed: { unit, count: runner.sync('billing', () => count(text)) } };
  } catch (cause) {
    if (cause instanceof AdapterDefect) return {};
    throw cause;
  }
}

function marksOf(content: Content) {
  return [...new Set(content.spans.map((span) => span.mark))].sort();
}
