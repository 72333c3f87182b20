import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync('docs/reliability.md', 'utf8');

it('The page of the fault suite matches its results', () => {
  expect(execFileSync(process.execPath, ['faults/page.mjs'], { encoding: 'utf8' })).toBe(page);
});

it('The page has a row for each of the faults F1 to F33', () => {
  const missing = Array.from({ length: 33 }, (_, at) => `F${at + 1}`).filter(
    (id) => !page.includes(`**${id}**`),
  );
  expect(missing).toEqual([]);
});
