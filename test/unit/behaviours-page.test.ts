import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('docs/behaviours.md', 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| **'));

describe('the page of behaviours', () => {
  it('lists all fifteen behaviours, each with a test or fault that proves it', () => {
    expect(rows).toHaveLength(15);
    for (const row of rows) expect(row).toMatch(/`test\/|\bF\d+\b/);
  });

  it('names only tests that exist, by file and title', () => {
    const named = [...page.matchAll(/`(test\/[^`]+\.test\.ts)`(?: \*([^*]+)\*)?/g)];
    expect(named.length).toBeGreaterThan(25);
    const missing = named.filter(([, file = '', sentence = '']) => {
      if (!existsSync(file)) return true;
      return !readFileSync(file, 'utf8').includes(sentence);
    });
    expect(missing.map(([whole]) => whole)).toEqual([]);
  });

  it('names only faults that the suite has', () => {
    const files = readdirSync('faults/faults').map((name) => Number(/^f(\d+)-/.exec(name)?.[1]));
    const named = rows.flatMap((row) => [...row.matchAll(/\bF(\d+)\b/g)].map(([, id]) => Number(id)));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((id) => !files.includes(id))).toEqual([]);
  });
});
