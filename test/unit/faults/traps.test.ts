import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const TRAP = /\bstatement: '([^']+)'/g;

describe('The traps of the fault suite', () => {
  const traps = listFiles('faults/faults', '.mjs').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(TRAP)].map(([, statement]) => statement ?? ''),
  );
  const store = listFiles('src/store', '.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');

  test('are found', () => {
    expect(traps.length).toBeGreaterThan(3);
  });

  // If the statement of a trap is never sent, its fault waits until the time limit of the run.
  test.each(traps)('%s waits for a statement that the store sends', (statement) => {
    expect(store).toContain(`'${statement}`);
  });
});

function listFiles(folder: string, extension: string): string[] {
  return readdirSync(resolve(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension))
    .map((path) => join(folder, path));
}
