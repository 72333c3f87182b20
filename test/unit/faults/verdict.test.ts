import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const verdict = pathToFileURL('faults/ledger/verdict.mjs').href;

/** The verdict of a run after this code. */
function asked(code: string, question: 'passed' | 'mayRepeat'): boolean {
  const script = `
    const { Verdict } = await import('${verdict}');
    const verdict = new Verdict();
    ${code}
    process.stdout.write(String(verdict.${question}));`;
  const line = ['--input-type=module', '--eval', script];
  return execFileSync(process.execPath, line, { encoding: 'utf8' }) === 'true';
}

const passes = (code: string) => asked(code, 'passed');
const mayRepeat = (code: string) => asked(code, 'mayRepeat');

const HAPPENED = `verdict.happened('kills', 1);`;
const ZERO = '{ lost: 0, duplicated: 0, unexpected: 0, misordered: 0 }';

it('A run passes when its fault happened and every criterion is met', () => {
  expect(
    passes(`${HAPPENED} verdict.nothingWrong('sends', { figures: { sends: 1, ...${ZERO} }, details: [] });`),
  ).toBe(true);
  expect(passes(`${HAPPENED} verdict.accepted([{ ackedAt: 1 }], 1);`)).toBe(true);
});

it('A run in which nothing happened does not pass', () => {
  expect(passes(`verdict.criterion('lost', 0, true);`)).toBe(false);
  expect(passes(`verdict.happened('kills', 2, 3);`)).toBe(false);
});

it('A run whose sends were all refused does not pass, even though it lost nothing', () => {
  expect(passes(`${HAPPENED} verdict.accepted([{ ackedAt: undefined }], 1);`)).toBe(false);
  expect(passes(`${HAPPENED} verdict.accepted([], 0);`)).toBe(false);
});

it('A run that checked nothing does not pass, even though it found no error', () => {
  expect(
    passes(`${HAPPENED} verdict.nothingWrong('sends', { figures: { sends: 0, ...${ZERO} }, details: [] });`),
  ).toBe(false);
});

it('A run that missed only time criteria may be repeated, but not one that lost messages', () => {
  const late = `verdict.timeCriterion('the end', 'after 90 s', false);`;
  const lost = `verdict.nothingWrong('sends', { figures: { sends: 1, ...${ZERO}, lost: 1 }, details: [] });`;
  expect(passes(`${HAPPENED} ${late}`)).toBe(false);
  expect(mayRepeat(`${HAPPENED} ${late}`)).toBe(true);
  expect(mayRepeat(`${HAPPENED} ${late} ${lost}`)).toBe(false);
  expect(mayRepeat(`${HAPPENED} ${lost}`)).toBe(false);
});
