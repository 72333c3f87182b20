import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { newAdapter } from '../../../src/cli/new-adapter/new-adapter.js';
import { UsageError } from '../../../src/cli/usage-error.js';

const folder = mkdtempSync(join(tmpdir(), 'trunkline-new-adapter-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('A new adapter', () => {
  it.each(['telegram', 'sms', 'sandbox', 'connections'])(
    'is refused for %s, which the service would not load',
    async (platform) => {
      const target = join(folder, platform);
      await expect(newAdapter(platform, target)).rejects.toThrow(UsageError);
      expect(existsSync(target)).toBe(false);
    },
  );

  it('is written for another platform, with its name', async () => {
    const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const target = join(folder, 'pager');
    expect(await newAdapter('pager', target)).toBe(0);
    said.mockRestore();
    const { name } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as { name: string };
    expect(name).toBe('trunkline-adapter-pager');
  });
});
