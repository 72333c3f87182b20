import { describe, expect, it } from 'vitest';
import { safeAddress } from './address';
import { treeOf } from './tree';

describe('A Markdown text', () => {
  it('is parsed with emphasis, code, links and lists', () => {
    const [first] = treeOf('**a** _b_ ~~c~~ `d` [e](https://example.test)')?.children ?? [];
    const types = first?.type === 'paragraph' ? first.children.map(({ type }) => type) : [];
    expect(types.filter((type) => type !== 'text')).toEqual([
      'strong',
      'emphasis',
      'delete',
      'inlineCode',
      'link',
    ]);
    expect(treeOf('- a\n- b')?.children[0]?.type).toBe('list');
  });

  it.each([
    ['nested quotes', '>'.repeat(5_000)],
    ['nested lists', '- '.repeat(5_000)],
    ['nested numbered lists', '1. '.repeat(5_000)],
    ['nested emphasis', `${'*a _b '.repeat(1_000)}`],
    ['brackets', '['.repeat(10_000)],
    ['images', '![a]('.repeat(2_000)],
    ['code fences', '```\n'.repeat(2_000)],
    ['a megabyte of emphasis', '**a'.repeat(350_000)],
  ])('with too many %s is shown as it is, at once', (_, text) => {
    const startedAt = performance.now();
    expect(treeOf(text)).toBeUndefined();
    expect(performance.now() - startedAt).toBeLessThan(100);
  });

  it('of a megabyte is shown as it is, at once', () => {
    const startedAt = performance.now();
    expect(treeOf('word '.repeat(200_000))).toBeUndefined();
    expect(performance.now() - startedAt).toBeLessThan(100);
  });

  it('that is just light enough to be parsed does not hold up the page', () => {
    const worst = ['> a\n\n'.repeat(75), '*a '.repeat(299), '[a]('.repeat(140), '- a\n'.repeat(199)];
    for (const text of worst) {
      const startedAt = performance.now();
      expect(treeOf(text)).toBeDefined();
      expect(performance.now() - startedAt).toBeLessThan(500);
    }
  });
});

describe('The address of a link', () => {
  it('is followed for web pages, mail and telephone alone', () => {
    for (const address of [
      'https://example.test/a',
      'http://example.test/',
      'mailto:a@b.test',
      'tel:+4915112345678',
    ])
      expect(safeAddress(address)).toBe(address);
    for (const address of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,a',
      'file:///etc',
      '/inbox',
      '',
    ])
      expect(safeAddress(address)).toBeUndefined();
  });
});
