import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A file of the build, as an installed package has it. */
export const builtModule = (path: string, exportName: string) => ({
  url: pathToFileURL(resolve('dist', path)).href,
  exportName,
});
