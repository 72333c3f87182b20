import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discordCapabilities } from '../../../../adapters/discord/capabilities.js';
import { parseMarkdown } from '../../../../adapters/discord/inbound/markdown-parser.js';
import { renderMarkdown } from '../../../../adapters/discord/outbound/markdown-renderer.js';
import { plan } from '../../../../adapters/discord/outbound/plan.js';
import { remoteChatId, type Span } from '../../../../src/contract/index.js';
import { documentRuns, documents, documentsLimitMs, joined } from '../../../support/documents.js';

const sorted = (spans: readonly Span[]): readonly string[] =>
  spans.map(({ mark, start, end, value }) => `${start}-${end} ${mark} ${value ?? ''}`).sort();

describe('a document that is written for Discord', () => {
  it(
    'is read back with the same text and the same marks',
    () => {
      fc.assert(
        fc.property(documents(5), (document) => {
          const back = parseMarkdown(renderMarkdown(document), new Map());
          expect(back.text).toBe(document.text);
          expect(sorted(back.spans)).toEqual(sorted(document.spans));
        }),
        { numRuns: documentRuns },
      );
    },
    documentsLimitMs,
  );

  it(
    'is split into parts of at most 2000 that join to its text, with no grapheme, link or code cut',
    () => {
      const to = { chatId: remoteChatId('1') };
      const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
      const whole = fc.array(documents(8), { minLength: 1, maxLength: 12 }).map((all) => joined(all, '\n\n'));
      fc.assert(
        fc.property(whole, (document) => {
          fc.pre(document.text.length < 9_000);
          const { steps } = plan(
            { type: 'send', to, content: { ...document, attachments: [] } },
            discordCapabilities,
          );
          const parts = steps.map(({ payload }) => String(payload.content));
          for (const part of parts) expect(part.length).toBeLessThanOrEqual(2000);
          const texts = parts.map((part) => parseMarkdown(part, new Map()));
          expect(texts.map(({ text }) => text.replace(/\u200b$/, '')).join('')).toBe(document.text);
          const ends = new Set<number>();
          let sum = 0;
          for (const { text } of texts) {
            sum += text.length;
            ends.add(sum);
          }
          const boundaries = new Set([...graphemes.segment(document.text)].map(({ index }) => index));
          for (const end of ends) expect(end >= document.text.length || boundaries.has(end)).toBe(true);
          for (const { mark, start, end } of document.spans)
            if ((mark === 'link' || mark === 'code' || mark === 'code_block') && end - start < 900)
              expect([...ends].filter((cut) => cut > start && cut < end)).toEqual([]);
        }),
        { numRuns: Math.max(20, Math.floor(documentRuns / 10)) },
      );
    },
    documentsLimitMs,
  );
});
