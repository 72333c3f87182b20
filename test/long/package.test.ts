import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** A program that has installed the package. It uses the dependencies of this checkout. */
const program = mkdtempSync(join(tmpdir(), 'trunkline-package-'));
afterAll(() => rmSync(program, { recursive: true, force: true }));

const home = join(program, 'node_modules', 'trunkline');

function run(command: string, args: string[], cwd = program) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status}: ${stderr}`);
  return stdout;
}

beforeAll(async () => {
  const script = pathToFileURL(resolve('scripts/build.mjs')).href;
  await ((await import(script)) as { build(): Promise<boolean> }).build();
  const [packed] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', program], resolve('.')),
  ) as { filename: string }[];
  mkdirSync(home, { recursive: true });
  run('tar', ['-xzf', join(program, packed?.filename ?? ''), '--strip-components=1', '-C', home]);
  symlinkSync(resolve('node_modules'), join(home, 'node_modules'));
  symlinkSync(resolve('node_modules/grammy'), join(program, 'node_modules', 'grammy'));
});

function runModule(source: string): unknown {
  const file = join(program, `program-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(file, source);
  return JSON.parse(run(process.execPath, [file]));
}

describe('the packed package', () => {
  test.each([
    ['trunkline', ['defineAdapter', 'PlatformError']],
    ['trunkline/client', ['Trunkline']],
    ['trunkline/testing', ['conformance', 'describeConformance', 'printedReport']],
    ['trunkline/simulators', ['startSimulator']],
    ['trunkline/simulation', ['SimulatorServer', 'FaultDial']],
  ])('exports %s', (name, exports) => {
    const found = runModule(
      `import * as all from '${name}';\nconsole.log(JSON.stringify(Object.keys(all)));`,
    );
    expect(found).toEqual(expect.arrayContaining(exports));
  });

  test('contains the documentation and the examples, and every linked page', () => {
    const files = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => relative(home, join(parentPath, name)));
    for (const name of ['irc', 'xmpp', 'email'])
      expect(files).toEqual(
        expect.arrayContaining([
          `examples/${name}/package.json`,
          `examples/${name}/src/index.ts`,
          `examples/${name}/test/kit.ts`,
        ]),
      );
    const pages = files.filter(
      (file) => /^(README|docs\/.*|examples\/.*)\.md$/.test(file) && !file.includes('node_modules'),
    );
    expect(pages).toContain('docs/writing-an-adapter.md');
    const missing = pages.flatMap((page) =>
      [...readFileSync(join(home, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+\.md)/g)]
        .map(([, link = '']) => join(dirname(page), link))
        .filter((target) => /^(docs|examples)\//.test(target) && !files.includes(target)),
    );
    expect(missing).toEqual([]);
  });

  test('prints its own documentation', () => {
    const trunkline = (...args: string[]) =>
      run(process.execPath, [join(home, 'bin/trunkline.mjs'), ...args]);
    expect(trunkline('docs', 'events')).toBe(readFileSync('docs/events.md', 'utf8'));
    expect(trunkline('docs', 'agents')).toBe(readFileSync('docs/agents.md', 'utf8'));
    expect(trunkline('docs', 'coding-agents')).toBe(readFileSync('AGENTS.md', 'utf8'));
  });

  test('runs the example of the page about simulators', async () => {
    const page = readFileSync('docs/simulators.md', 'utf8');
    const example = /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    const { code } = await transform(example, { loader: 'ts', format: 'esm' });
    const answer = runModule(`${code}\nconsole.log(JSON.stringify(answer));\nprocess.exit();`);
    expect(answer).toMatchObject({ text: 'Good day', own: true });
  });
});
