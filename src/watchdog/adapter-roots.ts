import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The location of an adapter's code: a folder or a single file. */
export interface AdapterRoot {
  readonly adapter: string;
  readonly path: string;
}

/** Matches paths relative to the folder of the program. With source maps, a stack contains source files. */
const BUNDLED = /^(?:dist[\\/])?adapters[\\/]([a-z][a-z0-9_-]*)[\\/]/;

/** The folder of a file's package. A file without a package, or within the folder of this program, is its own root. */
export function rootOf(url: string, home: string): string {
  const file = fileURLToPath(url);
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(`${folder}${sep}package.json`)) continue;
    return home.startsWith(folder + sep) ? file : folder + sep;
  }
  return file;
}

/** The adapter whose code comes first in the frames of a stack, innermost first. `home` is the folder of this program. */
export function adapterIn(
  frames: readonly string[],
  roots: readonly AdapterRoot[],
  home: string,
): string | undefined {
  for (const frame of frames) {
    const found = roots
      .filter(({ path }) => frame.includes(path))
      .sort((a, b) => b.path.length - a.path.length)[0];
    if (found !== undefined) return found.adapter;
    const at = frame.indexOf(home);
    const bundled = at < 0 ? undefined : BUNDLED.exec(frame.slice(at + home.length))?.[1];
    if (bundled !== undefined) return bundled;
  }
  return undefined;
}
