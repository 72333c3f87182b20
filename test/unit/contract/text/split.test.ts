import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Content,
  plainContent,
  shortened,
  splitContent,
  type TextUnit,
  textLength,
} from '../../../../src/contract/index.js';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const units: readonly TextUnit[] = ['utf16', 'codepoint', 'byte', 'gsm7'];

const texts = (content: readonly Content[]) => content.map(({ text }) => text);
const cut = (text: string, max: number, unit: TextUnit = 'utf16') =>
  texts(splitContent(plainContent(text), max, unit));

/** Graphemes of several characters, between single characters. */
const pieces = fc.constantFrom(
  ...[
    'a',
    'b c',
    'é',
    'e\u0301',
    '\r\n',
    '\n',
    '\n\n',
    'я',
    '字',
    'か',
    'が',
    'ｶﾞ',
    '각',
    '\u1100\u1161\u11a8',
    '{',
    '€',
  ],
  ...[
    '👍',
    '👍🏽',
    '👩‍👩‍👧',
    '🇩🇪',
    '1️⃣',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'क्षि',
    'नमस्ते',
    'กำ',
    '\u0600\u0661',
    ' \u0301',
    'b \ufe0f',
    'ab\u200dc',
    '𝒳',
    'نص',
    'עִב',
  ],
);
const anyText = fc.array(pieces, { maxLength: 120 }).map((list) => list.join(''));

describe('splitContent', () => {
  it('loses nothing, cuts no grapheme and makes no part too long, whatever the text', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 30, max: 80 }), fc.constantFrom(...units), (text, max, unit) => {
        const parts = cut(text, max, unit);
        expect(parts.join('')).toBe(text);
        const boundaries = new Set([...graphemes.segment(text)].map(({ index }) => index));
        let at = 0;
        for (const part of parts) {
          expect(textLength(part, unit)).toBeLessThanOrEqual(max);
          expect(at === 0 || boundaries.has(at)).toBe(true);
          at += part.length;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('fills a part completely if there is no place to break', () => {
    expect(cut('x'.repeat(25), 10).map((part) => part.length)).toEqual([10, 10, 5]);
    expect(cut('字'.repeat(25), 10).map((part) => part.length)).toEqual([10, 10, 5]);
    expect(cut('字'.repeat(25), 30, 'byte').map((part) => part.length)).toEqual([10, 10, 5]);
    expect(cut('👩‍👩‍👧'.repeat(5), 17).map((part) => part.length)).toEqual([16, 16, 8]);
    expect(cut('🇩🇪'.repeat(5), 7, 'codepoint').map((part) => part.length)).toEqual([12, 8]);
  });

  it('counts the extension characters of GSM-7 twice', () => {
    expect(cut('{'.repeat(12), 10, 'gsm7').map((part) => part.length)).toEqual([5, 5, 2]);
  });

  it('breaks at a paragraph before a line, and at a line before a word', () => {
    expect(cut('one two\n\nthree four\nfive six', 20)).toEqual(['one two\n\nthree four\n', 'five six']);
    expect(cut('aaaaaaaaaa\n\nbbbb bbbb', 18)).toEqual(['aaaaaaaaaa\n\n', 'bbbb bbbb']);
    expect(cut('aaaa bbbb cccc', 12)).toEqual(['aaaa bbbb ', 'cccc']);
  });

  it('keeps a grapheme whole even if it is longer than a part', () => {
    expect(cut(`a${'👩‍👩‍👧'}b`, 4)).toEqual(['a', '👩‍👩‍👧', 'b']);
  });

  it('splits before a link rather than inside it', () => {
    const text = 'see the manual page now';
    const link = { mark: 'link', start: 8, end: 19, url: 'https://example.com' } as const;
    const parts = splitContent({ text, spans: [link], attachments: [] }, 15, 'utf16');
    expect(texts(parts)).toEqual(['see the ', 'manual page now']);
    expect(parts[1]?.spans).toEqual([{ ...link, start: 0, end: 11 }]);
  });

  it('does not separate a space or a letter from its accent, not even before a link', () => {
    expect(cut('abcde f \u0301ghi', 11)).toEqual(['abcde ', 'f \u0301ghi']);
    expect(cut(' \u0301'.repeat(8), 5)).toEqual([...Array.from({ length: 4 }, () => ' \u0301 \u0301')]);
    const link = { mark: 'link', start: 8, end: 19, url: 'https://example.com' } as const;
    const text = 'see thee\u0301anual page now';
    const parts = splitContent({ text, spans: [link], attachments: [] }, 15, 'utf16');
    expect(texts(parts)).toEqual(['see the', 'e\u0301anual page ', 'now']);
  });
});

describe('the start of a text', () => {
  it.each([
    ['short', 10, 'short'],
    ['too long', 3, 'too'],
    ['ab😀', 3, 'ab'],
    ['ab👨‍👩‍👧', 6, 'ab'],
    // One grapheme that is longer than the limit.
    [`a${'\u0301'.repeat(9)}`, 4, 'a\u0301\u0301\u0301'],
    ['', 3, ''],
  ])('of %j in %i units is %j', (text, max, start) => {
    expect(shortened(text, max, 'utf16')).toBe(start);
  });
});
