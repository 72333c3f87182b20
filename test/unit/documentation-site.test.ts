import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NAVIGATION, TOP_BAR } from '../../docs/.vitepress/navigation.js';

const listed = [...NAVIGATION.flatMap(({ pages }) => pages), ...TOP_BAR].map(({ page }) => page);

/** The files of `docs` that a page links to. */
function linkedFrom(page: string): string[] {
  const links = readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]+\.md)[^)]*\)/g);
  return [...links].map(([, link = '']) => posix.join(posix.dirname(page), link));
}

describe('The navigation of the documentation site', () => {
  test('names only pages that exist', () => {
    expect(listed.filter((page) => !existsSync(page))).toEqual([]);
  });

  test('names each page once', () => {
    const pages = NAVIGATION.flatMap((group) => group.pages.map(({ page }) => page));
    expect(pages).toEqual([...new Set(pages)]);
  });

  test('leads to each page of docs, directly or by one link', () => {
    const reached = new Set([...listed, ...listed.flatMap(linkedFrom), 'docs/index.md']);
    const pages = readdirSync('docs').filter((file) => file.endsWith('.md'));
    expect(pages.map((file) => join('docs', file)).filter((page) => !reached.has(page))).toEqual([]);
  });

  test('is linked to from the table of all pages', () => {
    const table = linkedFrom('docs/README.md');
    const pages = listed.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
    expect(pages.filter((page) => !table.includes(page))).toEqual([]);
  });
});

test.each(['telegram', 'discord', 'slack', 'sms'])(
  'The quickstart for %s shows the form of the platform and the inbox',
  (platform) => {
    const page = readFileSync(`docs/quickstart-${platform}.md`, 'utf8');
    const pictures = [...page.matchAll(/!\[[^\]]+\]\((screenshots\/[\w-]+\.png)\)/g)].map(
      ([, file = '']) => file,
    );
    expect(pictures).toHaveLength(2);
    expect(pictures.filter((file) => !existsSync(join('docs', file)))).toEqual([]);
  },
);
