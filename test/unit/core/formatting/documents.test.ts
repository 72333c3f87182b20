import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Mark, Span } from '../../../../src/contract/index.js';
import { contentFromMarkdown } from '../../../../src/core/formatting/markdown.js';
import {
  type Document,
  documentRuns,
  documents,
  documentsLimitMs,
  looksOf,
} from '../../../support/documents.js';

const FENCES: Readonly<Partial<Record<Mark, string>>> = { bold: '**', italic: '*', strike: '~~' };
const INLINE = new Set<Mark>(['bold', 'italic', 'strike', 'code', 'link']);

const escaped = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** The characters from `start` to `end` as a person would type them. */
function inline({ text, spans }: Document, start: number, end: number): string {
  const within = spans.filter((span) => INLINE.has(span.mark) && span.start >= start && span.end <= end);
  const [outer] = [...within].sort((a, b) => a.start - b.start || b.end - a.end);
  if (outer === undefined) return escaped(text.slice(start, end));
  const rest = { text, spans: within.filter((span) => span !== outer) };
  const inside =
    outer.mark === 'code' ? text.slice(outer.start, outer.end) : inline(rest, outer.start, outer.end);
  const before = escaped(text.slice(start, outer.start));
  return before + wrapped(outer, inside) + inline(rest, outer.end, end);
}

function wrapped({ mark, value }: Span, inside: string): string {
  if (mark === 'link') return `[${inside}](<${value}>)`;
  if (mark === 'code') return `\`\` ${inside} \`\``;
  const fence = FENCES[mark] ?? '';
  return `${fence}${inside}${fence}`;
}

/** The same document as CommonMark, block by block. Line breaks are hard ones. */
function written(document: Document): string {
  const blocks: string[] = [];
  let at = 0;
  for (const block of document.text.split('\n\n')) {
    const end = at + block.length;
    const whole = document.spans.find(
      (span) => !INLINE.has(span.mark) && span.start === at && span.end === end,
    );
    if (whole?.mark === 'code_block') blocks.push(`\`\`\`\`${whole.value ?? ''}\n${block}\n\`\`\`\``);
    else {
      const lines = inline(document, at, end).replaceAll('\n', '\\\n');
      if (whole?.mark === 'heading') blocks.push(`${'#'.repeat(Number(whole.value))} ${lines}`);
      else if (whole?.mark === 'quote') blocks.push(lines.replace(/^/gm, '> '));
      else blocks.push(lines);
    }
    at = end + 2;
  }
  return blocks.join('\n\n');
}

it(
  'a document in CommonMark is read with its text and its formatting',
  () => {
    fc.assert(
      fc.property(documents(5), (made) => {
        // CommonMark has no syntax for these.
        const spans = made.spans.filter(({ mark }) => mark !== 'underline' && mark !== 'spoiler');
        const document = { ...made, spans };
        const back = contentFromMarkdown(written(document));
        expect(back.text).toBe(document.text);
        expect(looksOf(back)).toEqual(looksOf(document));
      }),
      { numRuns: documentRuns },
    );
  },
  documentsLimitMs,
);
