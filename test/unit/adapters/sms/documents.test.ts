import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smsCapabilities } from '../../../../adapters/sms/capabilities.js';
import { planSms } from '../../../../adapters/sms/outbound/plan.js';
import { remoteChatId, textLength } from '../../../../src/contract/index.js';
import {
  type Document,
  documentRuns,
  documents,
  documentsLimitMs,
  joined,
} from '../../../support/documents.js';

const to = { chatId: remoteChatId('+12025550143') };

/** The expected text: every link is followed by its address. */
function written({ text, spans }: Document): string {
  const links = spans.filter(({ mark }) => mark === 'link').sort((a, b) => b.start - a.start);
  let out = text;
  for (const { start, end, value = '' } of links)
    if (text.slice(start, end) !== value) out = `${out.slice(0, end)} (${value})${out.slice(end)}`;
  return out;
}

function sent(document: Document) {
  const content = { ...document, attachments: [] };
  const { steps, degradations } = planSms({ type: 'send', to, content }, smsCapabilities);
  return { texts: steps.map(({ payload }) => String(payload.body)), degradations };
}

describe('a document that is written for text messages', () => {
  it(
    'keeps every word and every address, and says which marks are not shown',
    () => {
      fc.assert(
        fc.property(documents(5), (document) => {
          const { texts, degradations } = sent(document);
          expect(texts.join('')).toBe(written(document));
          const marks = new Set(document.spans.map(({ mark }) => mark).filter((mark) => mark !== 'link'));
          const told = degradations.filter((name) => name.startsWith('format.') && name !== 'format.link');
          expect(told.sort()).toEqual([...marks].map((mark) => `format.${mark}`).sort());
        }),
        { numRuns: documentRuns },
      );
    },
    documentsLimitMs,
  );

  it(
    'is split into parts that Twilio accepts, and no address is cut',
    () => {
      const whole = fc.array(documents(8), { minLength: 2, maxLength: 8 }).map((all) => joined(all, '\n\n'));
      fc.assert(
        fc.property(whole, (document) => {
          const { texts } = sent(document);
          expect(texts.join('')).toBe(written(document));
          for (const text of texts) {
            expect(text.length).toBeLessThanOrEqual(1_600);
            expect(textLength(text, 'gsm7')).toBeLessThanOrEqual(1_600);
          }
          for (const { mark, value } of document.spans)
            if (mark === 'link' && value !== undefined)
              expect(texts.some((text) => text.includes(value))).toBe(true);
        }),
        { numRuns: Math.max(20, Math.floor(documentRuns / 10)) },
      );
    },
    documentsLimitMs,
  );
});
