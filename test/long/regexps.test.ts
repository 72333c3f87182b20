import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Runs the check on a source file with this text. */
function check(file: string, text: string): Promise<{ readonly passed: boolean; readonly output: string }> {
  const root = mkdtempSync(join(tmpdir(), 'regexps-'));
  folders.push(root);
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  return new Promise((done) => {
    execFile(process.execPath, [resolve('scripts/regexps.mjs'), root], (error, stdout, stderr) =>
      done({ passed: error === null, output: stdout + stderr }),
    );
  });
}

describe('the check of regular expressions', { timeout: 60_000 }, () => {
  it.each([
    ['src/planted.ts', String.raw`const type = /^application\/json(?:\s*;\s*charset=utf-8)?\s*;?\s*$/i;`],
    ['adapters/planted/parse.ts', String.raw`text.split(/\s*,\s*/)`],
    ['packages/planted/index.ts', "const path = new RegExp('/+$');"],
    ['src/planted.ts', 'const nested = /^(?:a+)+$/;'],
  ])('refuses in %s: %s', async (file, text) => {
    const { passed, output } = await check(file, text);
    expect(passed).toBe(false);
    expect(output).toMatch(new RegExp(`${file}:1: (2nd degree polynomial|exponential)`));
  });

  it('refuses an expression built at run time, unless the previous line states what limits its run time', async () => {
    const built = 'const made = new RegExp(name);';
    expect((await check('src/planted.ts', built)).output).toContain('src/planted.ts:1: built at run time');
    expect((await check('src/planted.ts', `// regexp: two anchors.\n${built}`)).passed).toBe(true);
  });

  it('accepts expressions that run in linear time', async () => {
    const { passed, output } = await check(
      'src/planted.ts',
      String.raw`const a = /^[a-z]{1,3}$/i; const b = /(?<!\/)\/+$/; const c = new RegExp('^x', 'i');`,
    );
    expect(output).toContain('3 regular expressions, 0 refused.');
    expect(passed).toBe(true);
  });
});
