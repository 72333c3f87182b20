import { describe, expect, it, vi } from 'vitest';
import { safeAddress } from './address';
import { parseMarkdown, treeOf } from './tree';

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
    ['words', 'word '.repeat(200_000)],
  ])('with too many %s is shown as it is, and is not parsed', (_, text) => {
    const parse = vi.fn(parseMarkdown);
    expect(treeOf(text, parse)).toBeUndefined();
    expect(parse).not.toHaveBeenCalled();
  });

  it.each([
    ['quotes', (n: number) => '> a\n\n'.repeat(n), 75],
    ['marks', (n: number) => '*a '.repeat(n), 300],
    ['brackets', (n: number) => '[a]('.repeat(n), 150],
    ['lists', (n: number) => '- a\n'.repeat(n), 200],
  ])('with %s is parsed up to the most that it may have', (_, make, limit) => {
    expect(treeOf(make(limit))).toBeDefined();
    expect(treeOf(make(limit + 1))).toBeUndefined();
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
