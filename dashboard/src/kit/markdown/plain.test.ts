import { describe, expect, it } from 'vitest';
import { plainOf } from './plain';

describe('The preview of a Markdown text', () => {
  it.each([
    ['**Your order** is _on its way_', 'Your order is on its way'],
    ['Run `npm ci` and ~~wait~~', 'Run npm ci and wait'],
    ['See [our page](https://example.test/a)', 'See our page'],
    ['![a cup](https://example.test/cup.png)', 'a cup'],
    ['# Title\n\n- one\n- two', 'Title one two'],
    ['> quoted\n\nand answered', 'quoted and answered'],
    ['```js\nlet a = 1;\n```', 'let a = 1;'],
    ['first\nsecond', 'first second'],
    ['2 * 3 * 4 = 24', '2 * 3 * 4 = 24'],
  ])('“%s” says “%s”', (source, said) => {
    expect(plainOf(source)).toBe(said);
  });

  it('is the text itself where there is too much to parse', () => {
    const source = '*a '.repeat(1_000);
    expect(plainOf(source)).toBe(source);
  });
});
