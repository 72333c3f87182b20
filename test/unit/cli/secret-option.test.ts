import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { secretFrom } from '../../../src/cli/secret-option.js';

let warnings: string;
let folder: string;

beforeEach(async () => {
  warnings = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    warnings += text;
    return true;
  });
  folder = await mkdtemp(join(tmpdir(), 'trunkline-secret-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

describe('A secret of a command', () => {
  it('is accepted on the command line with a warning that does not repeat it', async () => {
    expect(await secretFrom('key', 'tk_given', undefined, 'tk_environment')).toBe('tk_given');
    expect(warnings).toMatch(/--key is visible to every user.*--key-file/);
    expect(warnings).not.toContain('tk_given');
  });

  it('is read from its file without the line end and without a warning', async () => {
    const file = join(folder, 'key');
    await writeFile(file, 'tk_file\n');
    expect(await secretFrom('key', undefined, file, 'tk_environment')).toBe('tk_file');
    expect(warnings).toBe('');
  });

  it('comes from the environment without a warning when nothing else is given', async () => {
    expect(await secretFrom('secret', undefined, undefined, 'whsec_environment')).toBe('whsec_environment');
    expect(await secretFrom('secret', undefined, undefined, undefined)).toBeUndefined();
    expect(warnings).toBe('');
  });

  it('is refused when it is given twice or when its file cannot be read', async () => {
    const missing = join(folder, 'missing');
    await expect(secretFrom('key', 'tk_given', missing, undefined)).rejects.toThrow('not both');
    await expect(secretFrom('key', undefined, missing, undefined)).rejects.toThrow(/--key-file.*ENOENT/);
  });
});
