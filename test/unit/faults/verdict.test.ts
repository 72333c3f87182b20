import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const verdict = pathToFileURL('faults/ledger/verdict.mjs').href;

/** Whether a run passes that told its verdict this much. */
function passes(told: string): boolean {
  const script = `
    const { Verdict } = await import('${verdict}');
    const verdict = new Verdict();
    ${told}
    process.stdout.write(String(verdict.passed));`;
  const line = ['--input-type=module', '--eval', script];
  return execFileSync(process.execPath, line, { encoding: 'utf8' }) === 'true';
}

const STRUCK = `verdict.struck('kills', 1);`;
const ZERO = '{ lost: 0, duplicated: 0, unexpected: 0, misordered: 0 }';

it('A run passes when its fault happened and every bar is met', () => {
  expect(
    passes(`${STRUCK} verdict.nothingWrong('sends', { figures: { sends: 1, ...${ZERO} }, details: [] });`),
  ).toBe(true);
  expect(passes(`${STRUCK} verdict.accepted([{ ackedAt: 1 }], 1);`)).toBe(true);
});

it('A run in which nothing happened does not pass', () => {
  expect(passes(`verdict.bar('lost', 0, true);`)).toBe(false);
  expect(passes(`verdict.struck('kills', 2, 3);`)).toBe(false);
});

it('A run whose sends were all refused does not pass, though it lost nothing', () => {
  expect(passes(`${STRUCK} verdict.accepted([{ ackedAt: undefined }], 1);`)).toBe(false);
  expect(passes(`${STRUCK} verdict.accepted([], 0);`)).toBe(false);
});

it('A run that judged nothing does not pass, though nothing of it was wrong', () => {
  expect(
    passes(`${STRUCK} verdict.nothingWrong('sends', { figures: { sends: 0, ...${ZERO} }, details: [] });`),
  ).toBe(false);
});
