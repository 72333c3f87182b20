import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = pathToFileURL(resolve('scripts/fingerprint.mjs')).href;
const { fingerprintOf, readFiles } = await import(script);

/** Every change counts as settled. */
const AT_ONCE = -1;

describe('the fingerprint of sources', () => {
  let root: string;
  let memory: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'trunkline-fingerprint-'));
    memory = join(root, 'memory');
    await writeFile(join(root, 'a.ts'), 'aaa');
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  const fingerprint = (settledMs?: number) => fingerprintOf(root, ['a.ts'], memory, settledMs);

  it('depends on the contents', async () => {
    expect(await fingerprint(AT_ONCE)).toBe((await readFiles(root, ['a.ts'])).fingerprint);
  });

  it('changes with contents of the same size and the same modification time', async () => {
    const before = await fingerprint(AT_ONCE);
    const { atime, mtime } = await stat(join(root, 'a.ts'));
    await writeFile(join(root, 'a.ts'), 'bbb');
    await utimes(join(root, 'a.ts'), atime, mtime);
    expect(await fingerprint(AT_ONCE)).not.toBe(before);
  });

  it('comes from the cache while no time changes', async () => {
    await fingerprint(AT_ONCE);
    const known = JSON.parse(await readFile(memory, 'utf8'));
    await writeFile(memory, JSON.stringify({ ...known, fingerprint: 'remembered' }));
    expect(await fingerprint(AT_ONCE)).toBe('remembered');
  });

  it('is not cached for a file that was changed a moment ago', async () => {
    await fingerprint();
    await expect(readFile(memory)).rejects.toThrow('ENOENT');
  });

  it('is computed when the cache can’t be written', async () => {
    memory = '/proc/memory';
    expect(await fingerprint(AT_ONCE)).toBe((await readFiles(root, ['a.ts'])).fingerprint);
  });
});
