import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SharedService, shareService } from '../support/shared-service.js';

const PACKAGE = 'packages/client';
const MANIFEST = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));

/** The folder of an author of a client, who has only the tarball. */
const program = mkdtempSync(join(tmpdir(), 'trunkline-client-'));
const installed = join(program, 'node_modules', '@trunkline', 'client');

let service: SharedService;
let packed: { files: { path: string }[]; filename: string; unpackedSize: number };

function run(command: string, args: string[], cwd = program, env: Record<string, string> = {}) {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
  if (result.status !== 0) {
    throw new Error(`${command} ${args[0]} ended with ${result.status}: ${result.stdout}${result.stderr}`);
  }
  return result.stdout;
}

beforeAll(async () => {
  service = await shareService();
  [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', program], resolve(PACKAGE)));
  writeFileSync(join(program, 'package.json'), '{ "private": true, "type": "module" }');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--cache', join(program, 'cache')];
  run('npm', ['install', ...quiet, join(program, packed.filename)]);
});

afterAll(async () => {
  rmSync(program, { recursive: true, force: true });
});

const environment = () => ({ TRUNKLINE_URL: service.url, TRUNKLINE_API_KEY: service.key });

/** The compiler's output for a program in this folder. */
function typecheck(source: string, options: string[]) {
  writeFileSync(join(program, 'program.ts'), source);
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const args = [compiler, '--noEmit', '--strict', '--target', 'es2022', ...options, 'program.ts'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: program, encoding: 'utf8' });
  return { status, stdout };
}

const BROWSER = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom,dom.iterable'];
const NODE = ['--module', 'nodenext', '--lib', 'es2023', '--types', 'node'];

const TYPED = `
import { type Message, Trunkline, verifyWebhook } from '@trunkline/client';
const client = new Trunkline({ baseUrl: 'http://127.0.0.1', apiKey: 'k' });
const message: Message = await client.messages.send({ conversation_id: 1, text: 'Hello' });
const text: string = message.text;
const event = await verifyWebhook('', {}, 'whsec_');
if (event.event === 'message.created') console.log(text, event.data.sender.display_name);
for await (const each of client.events.stream({ events: ['messages'] })) console.log(each.event);
// @ts-expect-error A text is a string.
await client.messages.send({ conversation_id: 1, text: 1 });
export {};
`;

describe('the package @trunkline/client', () => {
  it('has the version and the license of the service, an engine range and no dependency', () => {
    const { version, license, engines } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(MANIFEST).toMatchObject({ version, license, engines });
    expect(readFileSync(join(PACKAGE, 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
    const kinds = Object.keys(MANIFEST).filter((name) => /dependencies/i.test(name));
    expect(kinds).toEqual([]);
  });

  it('packs one module, its types, a README and licenses, in less than 2 MB', () => {
    const paths = packed.files.map(({ path }) => path);
    const main = [
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-LICENSES.txt',
      'dist/index.d.ts',
      'dist/index.js',
    ];
    expect(paths).toEqual(expect.arrayContaining([...main, 'package.json']));
    expect(paths.filter((path) => !main.includes(path) && !/^dist\/[\w.-]+\.d\.ts$/.test(path))).toEqual([
      'package.json',
    ]);
    expect(packed.unpackedSize).toBeLessThan(2_000_000);
    expect(readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('MIT License');
  });

  it('is installed alone and imports nothing, neither from Node nor from a package', async () => {
    const lock = JSON.parse(readFileSync(join(program, 'package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/@trunkline/client']);
    expect(existsSync(join(installed, 'node_modules'))).toBe(false);
    const entry = join(installed, 'dist/index.js');
    const { metafile } = await build({
      entryPoints: [entry],
      bundle: true,
      platform: 'neutral',
      metafile: true,
      write: false,
    });
    expect(Object.values(metafile.inputs).flatMap(({ imports }) => imports)).toEqual([]);
    expect(readFileSync(entry, 'utf8')).not.toMatch(/\bprocess\.|\bBuffer\b|node:/);
  });

  it('exports the same as trunkline/client', async () => {
    writeFileSync(join(program, 'names.mjs'), names('@trunkline/client'));
    const found = JSON.parse(run(process.execPath, ['names.mjs']));
    expect(found).toEqual(Object.keys(await import('../../src/client/index.js')).sort());
  });

  it('runs the example of its README against a service', () => {
    const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
    const [, code = '', output] = /```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(readme) ?? [];
    writeFileSync(join(program, 'example.mjs'), code);
    expect(run(process.execPath, ['example.mjs'], program, environment())).toBe(output);
    expect(typecheck(code, [...NODE, '--typeRoots', resolve('node_modules/@types')])).toEqual({
      status: 0,
      stdout: '',
    });
  });

  it.each([
    ['a browser', BROWSER],
    ['Node', [...NODE, '--typeRoots', resolve('node_modules/@types')]],
  ])('has types that compile in a program for %s, checked as a whole', (_where, options) => {
    expect(typecheck(TYPED, options)).toEqual({ status: 0, stdout: '' });
  });
});

const names = (module: string) =>
  `import * as all from '${module}';\nconsole.log(JSON.stringify(Object.keys(all).sort()));`;
