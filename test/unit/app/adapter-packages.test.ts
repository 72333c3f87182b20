import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadAdapterPackages } from '../../../src/app/adapter-packages.js';
import { ConfigurationError } from '../../../src/config.js';
import { recordingLog } from '../../support/log.js';

const CONTRACT = resolve('src/contract/index.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunkline-packages-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** An ESM package in node_modules with one entry. */
function install(name: string, code: string): void {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, type: 'module', exports: './index.js' }));
  write(`node_modules/${name}/index.js`, code);
}

/** The program as a package, or a second copy of it. */
function installTrunkline(target = CONTRACT, at = 'node_modules/trunkline'): void {
  write(
    `${at}/package.json`,
    JSON.stringify({ name: 'trunkline', type: 'module', exports: './contract.ts' }),
  );
  symlinkSync(target, join(folder, at, 'contract.ts'));
}

async function load(...adapters: string[]) {
  const log = recordingLog();
  const loaded = await loadAdapterPackages({
    ...{ adapters, folder, log, limitMs: 300 },
    contract: pathToFileURL(CONTRACT).href,
  });
  const platforms = [...loaded.packages].map(([{ platform }, name]) => [name, platform]);
  const refused = Object.fromEntries(loaded.refused.map(({ adapter, reason }) => [adapter, reason]));
  return { loaded, platforms, refused };
}

const plain = (platform: string) => `export default { contractVersion: 1, platform: '${platform}' };`;

describe('adapters from packages', () => {
  test('are listed in the file and in the environment, and each is loaded once', async () => {
    for (const name of ['first', 'second']) install(name, plain(name));
    write('near.mjs', plain('near'));
    write('trunkline.config.json', '{"adapters": ["first", "./near.mjs"]}');
    const { platforms, loaded } = await load('second', 'first');
    expect(platforms).toEqual([
      ['first', 'first'],
      ['./near.mjs', 'near'],
      ['second', 'second'],
    ]);
    expect(loaded.modules).toHaveLength(3);
  });

  test('can be Inversify modules with several adapters, and a module without an adapter is refused', async () => {
    const inversify = pathToFileURL(createRequire(import.meta.url).resolve('inversify')).href;
    install(
      'as-module',
      `import { ContainerModule } from '${inversify}';
       const token = Symbol.for('trunkline.AdapterDefinition');
       export default new ContainerModule(({ bind }) => {
         bind(token).toConstantValue({ contractVersion: 1, platform: 'one' });
         bind(token).toConstantValue({ contractVersion: 1, platform: 'two' });
       });`,
    );
    install(
      'empty',
      `import { ContainerModule } from '${inversify}'; export default new ContainerModule(() => undefined);`,
    );
    const { platforms, refused } = await load('as-module', 'empty');
    expect(platforms).toEqual([
      ['as-module', 'one'],
      ['as-module', 'two'],
    ]);
    expect(refused).toEqual({ empty: 'Its module contributes no adapter.' });
  });

  test('are refused individually, and the reason contains neither a path nor an error text of the package', async () => {
    install('good', plain('good'));
    install('throws', "throw new Error('hunter22');");
    install(
      'hangs',
      'await new Promise(() => setInterval(() => undefined, 60_000).unref()); export default {};',
    );
    install('nothing', 'export const adapter = 1;');
    install('wrong-syntax', 'export default {');
    const names = ['missing', 'throws', 'hangs', 'nothing', 'wrong-syntax'];
    const { platforms, refused } = await load(...names, 'good');
    expect(platforms).toEqual([['good', 'good']]);
    expect(refused).toEqual({
      missing: expect.stringContaining('npm install missing'),
      throws: 'It failed to load. The log has the cause.',
      hangs: 'It was not loaded within 0.3 s.',
      nothing: expect.stringContaining('default export'),
      'wrong-syntax': 'It failed to load. The log has the cause.',
    });
    expect(JSON.stringify(refused)).not.toContain(folder);
  });

  test('share the contract of the program, and are refused if they bring another copy', async () => {
    installTrunkline();
    install('shares', plain('shares'));
    install('brings', plain('brings'));
    write('other.ts', 'export {};');
    installTrunkline(join(folder, 'other.ts'), 'node_modules/brings/node_modules/trunkline');
    const { platforms, refused } = await load('shares', 'brings');
    expect(platforms).toEqual([['shares', 'shares']]);
    expect(refused.brings).toMatch(/another copy of trunkline/);
  });

  test.each(['{', '[]', '{"adapters": "first"}', '{"adapters": [""]}', '{"adaptors": []}'])(
    'are not loaded if the configuration file contains %s',
    async (text) => {
      write('trunkline.config.json', text);
      await expect(load()).rejects.toThrow(ConfigurationError);
      await expect(load()).rejects.toThrow('trunkline.config.json');
    },
  );
});
