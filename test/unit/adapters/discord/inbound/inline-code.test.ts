import { describe, expect, it } from 'vitest';
import { inlineCode } from '../../../../../adapters/discord/inbound/inline-code.js';
import { parseMarkdown } from '../../../../../adapters/discord/inbound/markdown-parser.js';

describe('inline code on Discord', () => {
  it.each([
    ['`a` b', 'a', 3],
    ['``a`b`` c', 'a`b', 7],
    ['``a`', '`a', 4],
    ['```a``b', '`a', 6],
    ['`a``b`', 'a``b', 6],
    ['``a`b`` `', 'a`b', 7],
  ])('in %j is %j', (source, code, length) => {
    expect(inlineCode(source, 0)).toEqual({ code, length });
  });

  it.each(['`', '``', '`a', '`a``', '``````'])('does not begin in %j', (source) => {
    expect(inlineCode(source, 0)).toBeUndefined();
  });

  it('is found among other marks', () => {
    const { text, spans } = parseMarkdown('**a** `b` ``c`', new Map());
    expect(text).toBe('a b `c');
    expect(spans.map(({ mark, start, end }) => [mark, text.slice(start, end)])).toEqual([
      ['bold', 'a'],
      ['code', 'b'],
      ['code', '`c'],
    ]);
  });
});

describe('a link on Discord', () => {
  it.each(['[', '[a', '![', '[)', '\\[['])('does not begin in 8,000 characters of %j', (piece) => {
    const source = piece.repeat(Math.floor(8_000 / piece.length));
    expect(parseMarkdown(source, new Map()).spans).toEqual([]);
  });
});
