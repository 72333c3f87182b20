import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const PACKAGES = [
  'chat@4.41.1',
  '@chat-adapter/telegram@4.41.1',
  '@chat-adapter/slack@4.41.1',
  '@chat-adapter/state-memory@4.41.0',
];

/** Installs the package for comparison into a folder. It is not a dependency of the project. */
export async function installChatPackage(parent) {
  const folder = join(parent, 'chat-package');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const command = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--silent', ...PACKAGES];
  await promisify(execFile)('npm', command, { cwd: folder });
  const entry = join(folder, 'entry.mjs');
  const names = PACKAGES.map((each) => each.slice(0, each.lastIndexOf('@')));
  await writeFile(entry, names.map((name) => `export * from '${name}';\n`).join(''));
  return { entry: pathToFileURL(entry).href, version: PACKAGES[0] };
}
