import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Bill {
  bomFormat: string;
  components: { name: string; version: string; purl: string; licenses?: unknown[] }[];
}

const work = mkdtempSync(join(tmpdir(), 'trunkline-release-'));
/** The checkout of the release, and a clone that must produce the same files, as on a second machine. */
const [tree, clone] = [join(work, 'tree'), join(work, 'elsewhere', 'clone')];
const VERSION = '0.9.0';
const author = ['GIT_AUTHOR', 'GIT_COMMITTER'].flatMap((who) => [
  [`${who}_NAME`, 'Releaser'],
  [`${who}_EMAIL`, 'releaser@a.example'],
]);

function run(cwd: string, program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...Object.fromEntries(author) },
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return { status, stdout, stderr };
}

function must(cwd: string, program: string, ...args: string[]): string {
  const { status, stdout, stderr } = run(cwd, program, ...args);
  expect(status, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

const release = (cwd: string, ...args: string[]) =>
  run(cwd, process.execPath, 'scripts/release.mjs', ...args, '--date', '2026-11-28');

function addLibraries(folder: string): void {
  // Links need no space. Between two file systems the libraries are copied.
  const linked = run('.', 'cp', '-al', 'node_modules', join(folder, 'node_modules'));
  if (linked.status === 0) return;
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  must('.', 'cp', '-a', 'node_modules', join(folder, 'node_modules'));
}

const artefacts = (folder: string) => join(folder, 'release', VERSION);
const sums = (folder: string) => readFileSync(join(artefacts(folder), 'SHA256SUMS'), 'utf8');

beforeAll(() => {
  const files = must('.', 'git', 'ls-files', '-co', '--exclude-standard').split('\n').filter(existsSync);
  for (const file of files) cpSync(file, join(tree, file));
  must(tree, 'git', 'init', '--quiet', '--initial-branch', 'main');
  must(tree, 'git', 'add', '--all');
  must(tree, 'git', 'commit', '--quiet', '--message', 'test: all files');
  must('.', 'git', 'clone', '--quiet', tree, clone);
  for (const folder of [tree, clone]) addLibraries(folder);
});

afterAll(() => rmSync(work, { recursive: true, force: true }));

describe('npm run release', () => {
  it.each([
    [['0.2'], '0.2 is not a version'],
    [['0.0.1'], '0.0.1 is not after 0.'],
    [[], 'Usage: npm run release'],
  ])('refuses %j', (args, message) => {
    const { status, stderr } = release(tree, ...args);
    expect(stderr).toContain(message);
    expect(status).toBe(1);
  });

  it('refuses a working tree with changes, and names them', () => {
    writeFileSync(join(tree, 'stray.txt'), 'Something.');
    const { status, stderr } = release(tree, VERSION);
    rmSync(join(tree, 'stray.txt'));
    expect(stderr).toContain('?? stray.txt');
    expect(status).toBe(1);
  });

  it('writes all artefacts in a dry run, and leaves the working tree unchanged', { timeout: 900_000 }, () => {
    const { status, stdout, stderr } = release(tree, VERSION, '--dry-run');
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('nothing is committed');
    expect(must(tree, 'git', 'status', '--porcelain')).toBe('');
    expect(must(tree, 'git', 'tag')).toBe('');
    expect(readdirSync(artefacts(tree)).sort()).toEqual([
      'SHA256SUMS',
      `trunkline-${VERSION}.cdx.json`,
      `trunkline-${VERSION}.licenses.txt`,
      `trunkline-${VERSION}.tgz`,
      `trunkline-client-${VERSION}.tgz`,
    ]);
    must(artefacts(tree), 'sha256sum', '--check', '--strict', 'SHA256SUMS');
  });

  it('lists all installed libraries including those of the dashboard, and no development tools', () => {
    const file = join(artefacts(tree), `trunkline-${VERSION}.cdx.json`);
    const bill: Bill = JSON.parse(readFileSync(file, 'utf8'));
    expect(bill.bomFormat).toBe('CycloneDX');
    const names = new Set(bill.components.map(({ name }) => name));
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const wanted = [...Object.keys({ ...dependencies, ...optionalDependencies }), 'react', 'maplibre-gl'];
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
    expect(['vitest', 'vitepress', '@biomejs/biome', 'knip'].filter((name) => names.has(name))).toEqual([]);
    expect(bill.components.filter(({ purl }) => !purl.startsWith('pkg:npm/'))).toEqual([]);
  });

  it('produces the same bytes in another folder, and creates a commit with a tag', {
    timeout: 900_000,
  }, () => {
    const { status, stderr } = release(clone, VERSION);
    expect(status, stderr).toBe(0);
    expect(sums(clone)).toBe(sums(tree));
    expect(must(clone, 'git', 'status', '--porcelain')).toBe('');
    expect(must(clone, 'git', 'cat-file', '-t', `v${VERSION}`)).toBe('tag\n');
    expect(must(clone, 'git', 'log', '-1', '--format=%s', `v${VERSION}`)).toBe(`release: ${VERSION}\n`);
    const changelog = must(clone, 'git', 'show', `v${VERSION}:CHANGELOG.md`);
    expect(changelog).toContain(`\n## Unreleased\n\n## ${VERSION} - 2026-11-28\n\n### Added\n`);
    for (const path of ['package.json', 'packages/client/package.json', 'package-lock.json'])
      expect(JSON.parse(must(clone, 'git', 'show', `v${VERSION}:${path}`)).version).toBe(VERSION);
    expect(release(clone, VERSION).stderr).toContain(`${VERSION} is not after ${VERSION}.`);
  });
});
