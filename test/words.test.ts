import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const FOLDERS = ['docs', 'src', 'test', 'adapters', 'bench', 'faults', 'examples', 'dashboard', 'scripts'];
const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/** Runs the check on a tree with this README and this single test. */
function check(text: string, test = '') {
  const root = mkdtempSync(join(tmpdir(), 'trunkline-words-'));
  made.push(root);
  for (const folder of FOLDERS) mkdirSync(join(root, folder));
  for (const name of ['CONTRIBUTING.md', 'CHANGELOG.md']) writeFileSync(join(root, name), '');
  writeFileSync(join(root, 'README.md'), text);
  writeFileSync(join(root, 'test', 'one.test.ts'), test);
  return spawnSync(process.execPath, [resolve('scripts/words.mjs'), root], { encoding: 'utf8' });
}

describe('the check of words', () => {
  it('refuses a word of the former dialect and suggests replacements', () => {
    const { status, stderr } = check('First line.\nWhoever reads it is told.');
    expect(status).toBe(1);
    expect(stderr).toContain('README.md:2: "Whoever"; write the user who, the process that');
    expect(stderr).toContain('README.md:2: "told"; write reported, described, sent');
  });

  it('refuses such a word in a title of a test, and accepts it in the rest of the test', () => {
    const { status, stderr } = check('', "it('is told', () => {\n  const told = 1;\n});\n");
    expect(status).toBe(1);
    expect(stderr).toBe('test/one.test.ts:1: "told"; write reported, described, sent\n');
  });

  it('refuses a former name in code, and accepts it in prose', () => {
    const former = ['put_back', 'on_the_way'].join('_');
    const { status, stderr } = check(former, `await pool.query('SELECT ${former}()');\n`);
    expect(status).toBe(1);
    expect(stderr).toBe(`test/one.test.ts:1: "${former}"; write requeue_recipients\n`);
  });

  it('accepts names of users and files, and longer words', () => {
    const text =
      'Runs as `nobody`; see [the decision](docs/0011-reactions-beside-the-lanes.md). Besides, it is untold.';
    expect(check(text).status).toBe(0);
  });
});
