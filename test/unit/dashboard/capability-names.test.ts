import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { attachmentTypes, capabilityOps, contentMarks } from '../../../src/contract/index.js';

const LANGUAGES = 3;

it('The dashboard names every capability of the adapter contract in each language', async () => {
  const texts = await readFile('dashboard/src/features/platforms/capability-messages.ts', 'utf8');
  const keys = [
    ...capabilityOps.map((name) => `op_${name}`),
    ...contentMarks.map((name) => `format_${name}`),
    ...attachmentTypes.map((name) => `media_${name}`),
  ];
  expect(keys.filter((key) => texts.split(`\n    ${key}: `).length - 1 !== LANGUAGES)).toEqual([]);
});
