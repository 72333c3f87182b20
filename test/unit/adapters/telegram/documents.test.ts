import fc from 'fast-check';
import type { MessageEntity } from 'grammy/types';
import { describe, expect, it } from 'vitest';
import { telegramCapabilities } from '../../../../adapters/telegram/capabilities.js';
import { spansOf } from '../../../../adapters/telegram/formatting.js';
import { plan } from '../../../../adapters/telegram/outbound/plan.js';
import { remoteChatId } from '../../../../src/contract/index.js';
import {
  type Document,
  documentRuns,
  documents,
  documentsLimitMs,
  joined,
  looksOf,
} from '../../../support/documents.js';

const to = { chatId: remoteChatId('1') };

/** The messages that Telegram receives, parsed as it returns them. */
function shown(document: Document) {
  const content = { ...document, attachments: [] };
  const { steps, degradations } = plan({ type: 'send', to, content }, telegramCapabilities);
  const parts = steps.map(({ payload }) => {
    const { text, entities = [] } = payload as unknown as { text: string; entities?: MessageEntity[] };
    return { text, spans: spansOf(text, entities) };
  });
  return { parts, degradations };
}

/** Telegram accepts no message of only blanks, and the plan refuses it. */
const isVisible = ({ text }: Document) => text.trim() !== '';

describe('a document that is written for Telegram', () => {
  it(
    'is read back with the same text and the same looks, headings as bold',
    () => {
      fc.assert(
        fc.property(documents(5), (document) => {
          fc.pre(document.text.length <= 4_096 && isVisible(document));
          const { parts } = shown(document);
          expect(parts).toHaveLength(1);
          expect(parts[0]?.text).toBe(document.text);
          expect(looksOf(parts[0] as Document, { heading: 'bold' })).toEqual(
            looksOf(document, { heading: 'bold' }),
          );
        }),
        { numRuns: documentRuns },
      );
    },
    documentsLimitMs,
  );

  it(
    'is split into parts of at most 4096 that join to its text and keep its formatting',
    () => {
      const whole = fc.array(documents(8), { minLength: 2, maxLength: 12 }).map((all) => joined(all, '\n\n'));
      fc.assert(
        fc.property(whole, (document) => {
          fc.pre(isVisible(document));
          const { parts } = shown(document);
          for (const { text } of parts) expect(text.length).toBeLessThanOrEqual(4_096);
          const back = joined(parts, '');
          expect(back.text).toBe(document.text);
          expect(looksOf(back, { heading: 'bold' })).toEqual(looksOf(document, { heading: 'bold' }));
        }),
        { numRuns: Math.max(20, Math.floor(documentRuns / 10)) },
      );
    },
    documentsLimitMs,
  );
});
