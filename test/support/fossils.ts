import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const FOSSILS = resolve('test/fossils');

/** Installs the adapter of an old contract version in a folder with the packages that it imports. */
export function installFossil(folder: string, version: number): string {
  const name = 'trunkline-adapter-fossil';
  const home = join(folder, 'node_modules', name);
  mkdirSync(dirname(home), { recursive: true });
  cpSync(join(FOSSILS, `contract-${version}`), home, { recursive: true });
  symlinkSync(resolve('node_modules/zod'), join(folder, 'node_modules/zod'));
  return name;
}
