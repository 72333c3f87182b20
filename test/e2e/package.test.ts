import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** A program that has installed the package. Its dependencies are those of this checkout. */
const program = mkdtempSync(join(tmpdir(), 'trunkline-package-'));
afterAll(() => rmSync(program, { recursive: true, force: true }));

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
  const home = join(program, 'node_modules', 'trunkline');
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

  test('runs the example of the page about simulators', async () => {
    const page = readFileSync('docs/simulators.md', 'utf8');
    const example = /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    const { code } = await transform(example, { loader: 'ts', format: 'esm' });
    const answer = runModule(`${code}\nconsole.log(JSON.stringify(answer));\nprocess.exit();`);
    expect(answer).toMatchObject({ text: 'Good day', own: true });
  });
});
