import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Files that a reader opens on each journey, at most. A longer one has too many mechanisms. */
const MAX_FILES: Readonly<Record<string, number>> = {
  'From REST to Slack': 55,
  'From Telegram to Discord': 45,
  'From a broadcast to its recipients': 25,
  'From an event to a webhook': 20,
};
const MAX_TWICE = 6;

const journeys = readFileSync('docs/code-paths.md', 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.split('\n', 1)[0] ?? '',
    steps: [...section.matchAll(/^\|[^|]*\| `([^`]+)` \|([^|]*)\|$/gm)].map(([, file = '', names = '']) => ({
      file,
      names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    })),
  }));

describe('The page about journeys through the code', () => {
  test('has the four journeys', () => {
    expect(journeys.map(({ title }) => title)).toEqual(Object.keys(MAX_FILES));
  });

  test.each(journeys)('names only files and functions that exist: $title', ({ steps }) => {
    const missing = steps.flatMap(({ file, names }) => {
      if (!existsSync(file)) return [file];
      const words = new Set(readFileSync(file, 'utf8').match(/#?\w+/g));
      return names.filter((name) => !words.has(name)).map((name) => `${name} in ${file}`);
    });
    expect(missing).toEqual([]);
  });

  test.each(journeys)(
    'visits a limited number of files, and few of them twice: $title',
    ({ title, steps }) => {
      const files = new Set(steps.map(({ file }) => file));
      expect(files.size).toBeGreaterThan(10);
      expect(files.size).toBeLessThanOrEqual(MAX_FILES[title] ?? 0);
      expect(steps.length - files.size).toBeLessThanOrEqual(MAX_TWICE);
    },
  );
});
