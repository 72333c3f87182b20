import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  attachmentTypes,
  capabilityLevels,
  capabilityOps,
  contentMarks,
  degradationNames,
  partKinds,
  rejectionReasons,
  stepActions,
} from '../../../src/contract/index.js';

let page: string;
beforeAll(async () => {
  page = await readFile('docs/contract-reference.md', 'utf8');
});

/** The names in the first column of the tables under a heading, in page order. */
function namesUnder(heading: string, from = 0): string[] {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const tables = section.split(/^\|---.*$/m).slice(1);
  const rows = (tables[from] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''),
  );
}

describe('the reference of the contract', () => {
  it.each([
    ['Levels', capabilityLevels],
    ['Operations', capabilityOps],
    ['Marks', contentMarks],
    ['Degradations', degradationNames],
    ['Steps', stepActions],
    ['Reasons of a refusal', rejectionReasons],
  ] as const)('lists the names of the types in their order: %s', (heading, names) => {
    expect(namesUnder(heading)).toEqual([...names]);
  });

  it('has each type of attachment and each kind of part', () => {
    expect(namesUnder('Attachment types').sort()).toEqual([...attachmentTypes].sort());
    expect(namesUnder('Steps', 1)).toEqual([...partKinds]);
  });

  it('names 18 operations', () => {
    expect(capabilityOps).toHaveLength(18);
  });

  it('is linked from the index of the documentation and from the guide for adapter authors', async () => {
    for (const file of ['docs/README.md', 'docs/writing-an-adapter.md'])
      expect(await readFile(file, 'utf8')).toContain('](contract-reference.md)');
  });
});
