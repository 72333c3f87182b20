// Makes a release on this machine: `npm run release -- 0.2.0 [--dry-run]`. Publishes nothing. See docs/releasing.md.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeBill } from './release/bill.mjs';
import { releasedChangelog } from './release/changelog.mjs';
import { licenseText } from './release/licenses.mjs';
import { checkVersion, versionedFiles, writeFiles } from './release/version.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const run = (program, ...args) => execFileSync(program, args, { cwd: ROOT, encoding: 'utf8' });
const read = (path) => readFile(join(ROOT, path), 'utf8');

/** The files that the release changes, with their new contents. Throws if a precondition fails. Writes nothing. */
async function plan(version, date) {
  const { version: current } = JSON.parse(await read('package.json'));
  checkVersion(version, current);
  const changed = run('git', 'status', '--porcelain').trim();
  if (changed !== '') throw new Error(`The tree is not clean:\n${changed}`);
  if (run('git', 'tag', '--list', `v${version}`).trim() !== '')
    throw new Error(`The tag v${version} exists already.`);
  const files = await versionedFiles(ROOT, current, version);
  return files.set('CHANGELOG.md', releasedChangelog(await read('CHANGELOG.md'), version, date));
}

/** Writes the artefacts: the packages, the bill of materials, the licenses and the checksums of all of them. */
async function writeArtefacts(folder, version, date) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const path of ['.', 'packages/client'])
    run('npm', 'pack', '--silent', '--pack-destination', folder, join(ROOT, path));
  const bill = await makeBill(ROOT, date);
  await writeFile(join(folder, `trunkline-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  await writeFile(join(folder, `trunkline-${version}.licenses.txt`), licenseText(bill));
  const sums = [];
  for (const name of (await readdir(folder)).sort()) {
    const hash = createHash('sha256').update(await readFile(join(folder, name)));
    sums.push(`${hash.digest('hex')}  ${name}\n`);
  }
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''));
  return sums.join('');
}

function commit(version, paths) {
  run('git', 'add', '--', ...paths);
  run('git', 'commit', '--quiet', '--message', `release: ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Trunkline ${version}`);
}

async function release(version, { dryRun, date }) {
  const files = await plan(version, date);
  const folder = join(ROOT, 'release', version);
  const putBack = await writeFiles(ROOT, files);
  let isKept = false;
  try {
    process.stdout.write(await writeArtefacts(folder, version, date));
    if (dryRun) return console.log(`\nDry run: ${folder} is written, and nothing is committed.`);
    commit(version, files.keys());
    isKept = true;
  } finally {
    if (!isKept) await putBack();
  }
  console.log(
    `\n${folder} is written, and v${version} is tagged here. docs/releasing.md has the next steps.`,
  );
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, date: { type: 'string' } },
  });
  const [version, ...more] = positionals;
  if (version === undefined || more.length > 0)
    throw new Error('Usage: npm run release -- VERSION [--dry-run] [--date YYYY-MM-DD]');
  const date = values.date ?? new Date().toISOString().slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new Error(`${date} is not a date such as 2026-11-28.`);
  await release(version, { dryRun: values['dry-run'], date });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
