import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A newcomer reads the whole page. A noun that needs more room has a better name. */
const MAX_NOUNS = 60;

test('the glossary has each noun once and at most 60 of them', () => {
  const text = readFileSync('docs/glossary.md', 'utf8');
  const nouns = [...text.matchAll(/^\| \*\*(.+?)\*\*/gm)].map(([, noun]) => noun);
  expect(nouns.length).toBeGreaterThan(40);
  expect(nouns.length).toBeLessThanOrEqual(MAX_NOUNS);
  expect(new Set(nouns).size).toBe(nouns.length);
});
