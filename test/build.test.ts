import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** A checkout whose program prints its arguments and the first line of an SQL file. */
const SOURCES = {
  'src/main.ts': [
    "import { readFileSync } from 'node:fs';",
    "const sql: string = readFileSync(new URL('./store/schema/0001_a.sql', import.meta.url), 'utf8');",
    'console.log(JSON.stringify([process.argv.slice(2), sql.trim()]));',
  ].join('\n'),
  'src/store/schema/0001_a.sql': '-- tables\n',
  'adapters/index.ts': 'export const platforms: string[] = [];\n',
};

describe('bin/trunkline.mjs in a checkout', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'trunkline-build-'));
    await chmod(root, 0o755);
    for (const name of ['bin', 'scripts', 'tsconfig.json', 'package.json']) {
      await cp(name, join(root, name), { recursive: true });
    }
    await symlink(resolve('node_modules'), join(root, 'node_modules'));
    for (const [path, text] of Object.entries(SOURCES)) await write(path, text);
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }

  function trunkline(...args: string[]): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, [join(root, 'bin/trunkline.mjs'), ...args], { encoding: 'utf8' });
  }

  test('runs the program from its sources without an earlier build', () => {
    const { stdout, stderr, status } = trunkline('start', '--fast');
    expect(stderr).toBe('');
    expect([status, JSON.parse(stdout)]).toEqual([0, [['start', '--fast'], '-- tables']]);
  });

  test('rebuilds only when a source was changed, added or removed', async () => {
    trunkline();
    const first = await stat(join(root, 'dist/.build'));
    trunkline();
    expect((await stat(join(root, 'dist/.build'))).mtimeMs).toBe(first.mtimeMs);
    await write('src/main.ts', "import { more } from './more.js';\nconsole.log(more);");
    await write('src/more.ts', "export const more = 'more' as const;");
    expect(trunkline().stdout).toBe('more\n');
    await write('src/main.ts', "console.log('less');");
    await rm(join(root, 'src/more.ts'));
    expect(trunkline().stdout).toBe('less\n');
    expect(await readdir(join(root, 'dist/src'))).toEqual(['main.js', 'main.js.map', 'store']);
  });

  test('is restarted by npm run dev after a change, but not after a failed build', async () => {
    const program = (word: string) => `console.log('${word}', process.pid);\nsetInterval(() => {}, 1000);`;
    await write('src/main.ts', program('first'));
    const dev = spawn(process.execPath, [join(root, 'scripts/dev.mjs')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(dev, 'exit');
    const [out, err] = [createInterface(dev.stdout), createInterface(dev.stderr)].map((reader) =>
      reader[Symbol.asyncIterator](),
    );
    try {
      const pid = Number((await out?.next())?.value.split(' ')[1]);
      await write('src/main.ts', 'const broken = ;');
      expect((await err?.next())?.value).toContain('src/main.ts:1:');
      expect((await err?.next())?.value).toContain('The running service was not restarted.');
      expect(process.kill(pid, 0)).toBe(true);
      await write('src/main.ts', program('second'));
      expect((await out?.next())?.value).toMatch(/^second /);
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    } finally {
      dev.kill('SIGTERM');
      await exited;
    }
  });

  test('builds safely when several start at once', async () => {
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [join(root, 'bin/trunkline.mjs')]),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
    expect(codes).toEqual([0, 0, 0, 0]);
    const left = await readdir(join(root, 'dist'), { recursive: true });
    expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('shows source positions when the program fails', async () => {
    await write('src/main.ts', "interface A {}\n\nthrow new Error('broken');\n");
    expect(trunkline().stderr).toContain(`${join('src', 'main.ts')}:3`);
  });

  test('reports errors in the sources in one line', async () => {
    await write('src/main.ts', 'const a = ;\n');
    const { stderr, status } = trunkline();
    expect([status, stderr]).toEqual([1, 'trunkline: src/main.ts:1:11: Unexpected ";"\n']);
  });

  test('needs no write permission when dist is current, and reports when it is not', async () => {
    trunkline();
    const user = { uid: 65_534, gid: 65_534 };
    const canSwitch = process.getuid?.() === 0;
    if (!canSwitch) await chmod(join(root, 'dist/src'), 0o555);
    const run = () =>
      spawnSync(process.execPath, [join(root, 'bin/trunkline.mjs')], {
        encoding: 'utf8',
        ...(canSwitch && user),
      });
    expect(run().status).toBe(0);
    await write('src/main.ts', "console.log('newer');");
    const { stderr, status } = run();
    if (!canSwitch) await chmod(join(root, 'dist/src'), 0o755);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^trunkline: .*dist can't be written \(EACCES\); run npm run build .*\n$/);
  });

  test('starts an installed package, which has no sources and no esbuild', async () => {
    trunkline();
    for (const name of ['src', 'adapters', 'scripts', 'node_modules'])
      await rm(join(root, name), { recursive: true });
    expect(trunkline('version').stdout).toBe('[["version"],"-- tables"]\n');
  });
});
