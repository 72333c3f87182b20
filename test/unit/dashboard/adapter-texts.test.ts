import { describe, expect, it } from 'vitest';
import { bundledDefinitions } from '../../../adapters/index.js';
import { TRANSLATIONS } from '../../../dashboard/src/features/platforms/adapter-messages.js';
import { titleOf } from '../../../dashboard/src/features/platforms/field-title.js';
import type { AdapterDefinition } from '../../../src/contract/index.js';
import { protocolOf } from '../../../src/core/platforms/describe.js';

/** All texts that the forms of the bundled adapters show. */
const shown = bundledDefinitions.flatMap((definition) => {
  const { credentials, settings } = protocolOf(definition as AdapterDefinition).config_schema;
  return [...credentials, ...settings].flatMap(({ name, title, description, enum_titles: titles }) => [
    title ?? titleOf(name),
    ...(description === null ? [] : [description]),
    ...Object.values(titles ?? {}),
  ]);
});

describe.each(Object.entries(TRANSLATIONS))('The translations into %s', (_language, texts) => {
  it('have every text in the forms of the bundled adapters, and no other', () => {
    expect(Object.keys(texts).sort()).toEqual([...new Set(shown)].sort());
  });
});
