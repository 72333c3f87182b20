import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Throws unless `version` is a released version (three numbers) after `current`. */
export function checkVersion(version, current) {
  if (!/^\d{1,5}\.\d{1,5}\.\d{1,5}$/.test(version))
    throw new Error(`${version} is not a version such as 0.2.0.`);
  if (version.localeCompare(current, 'en', { numeric: true }) <= 0)
    throw new Error(`${version} is not after ${current}.`);
}

/** The files that contain the version, with their contents for the next one. Writes nothing. */
export async function versionedFiles(root, from, to) {
  const examples = await readdir(join(root, 'examples'), { withFileTypes: true });
  const manifests = examples
    .filter((entry) => entry.isDirectory() && entry.name !== 'check')
    .map(({ name }) => `examples/${name}/package.json`);
  const changes = [
    ...['package.json', 'packages/client/package.json'].map((path) => [
      path,
      `"version": "${from}"`,
      `"version": "${to}"`,
    ]),
    ...manifests.map((path) => [path, `"trunkline": ">=${from} <2"`, `"trunkline": ">=${to} <2"`]),
    ['deploy/helm/trunkline/Chart.yaml', `ersion: ${from}`, `ersion: ${to}`],
    ['docs/writing-an-adapter.md', `trunkline-${from}.tgz`, `trunkline-${to}.tgz`],
  ];
  const files = new Map();
  for (const [path, before, after] of changes) {
    const text = await readFile(join(root, path), 'utf8');
    if (!text.includes(before)) throw new Error(`${path} does not contain ${before}.`);
    files.set(path, text.replaceAll(before, after));
  }
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  lock.version = to;
  lock.packages[''].version = to;
  files.set('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
  return files;
}

/** Writes the files. Resolves with a function that restores their previous contents. */
export async function writeFiles(root, files) {
  const former = new Map();
  for (const path of files.keys()) former.set(path, await readFile(join(root, path)));
  const write = async (contents) => {
    for (const [path, text] of contents) await writeFile(join(root, path), text);
  };
  await write(files);
  return () => write(former);
}
