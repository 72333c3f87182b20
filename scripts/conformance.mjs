// Tests the bundled adapters against the contract and prints a report of each. `--write` writes docs/conformance.md.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as bundle } from 'esbuild';
import { build } from './build.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
// Inside node_modules, so that its imports of packages resolve.
const FOLDER = `${ROOT}node_modules/.cache/trunkline-test`;
const outfile = `${FOLDER}/conformance-${process.pid}.mjs`;

// The adapters are loaded from the build, as an installed package has them.
await build();
await mkdir(FOLDER, { recursive: true });
await bundle({
  entryPoints: [`${ROOT}test/conformance/run.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
});
await import(pathToFileURL(outfile).href);
