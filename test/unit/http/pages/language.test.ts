import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../../src/http/pages/language.js';
import { TEXTS } from '../../../../src/http/pages/texts/index.js';

describe('the language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de-CH,de;q=0.9', 'en'],
    ['es', 'es'],
    ['es-AR,en;q=0.5', 'es'],
    ['en;q=0.2,zh-Hant-HK;q=0.8', 'zh'],
    ['es;q=0', 'en'],
    [`zh,${'a,'.repeat(1_000)}`, 'en'],
  ])('of a browser that asks for %s is %s', (header, language) => {
    expect(languageOf(header)).toBe(language);
  });

  it.each(['es', 'zh'] as const)('is translated completely into %s', (language) => {
    const { script, providerProblems, ...texts } = TEXTS.en;
    const other = TEXTS[language];
    for (const [name, text] of Object.entries(texts))
      expect([name, other[name as keyof typeof texts]]).not.toEqual([name, text]);
    for (const [name, text] of Object.entries({ ...script, ...providerProblems }))
      expect({ ...other.script, ...other.providerProblems }[name as keyof typeof script]).not.toBe(text);
    expect(other.script.tooManyAttempts).toContain('{minutes}');
    expect(other.signedInAs).toMatch(/\{name\}.*\{workspace\}/);
  });
});
