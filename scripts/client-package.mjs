// Writes dist of packages/client from src/client: one bundled module, and the declarations of its types.
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = join(ROOT, 'packages', 'client');

/** The libraries that become part of the bundle. Their licenses are part of the package. */
const BUNDLED = ['eventsource-parser'];

/** Writes the library into `folder` as one module without imports. */
export async function bundleClient(folder) {
  const esbuild = await import('esbuild');
  try {
    await esbuild.build({
      entryPoints: [join(ROOT, 'src', 'client', 'index.ts')],
      outfile: join(folder, 'index.js'),
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      logLevel: 'warning',
    });
  } finally {
    // Otherwise esbuild's process runs as long as this one.
    await esbuild.stop();
  }
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), await licenses());
}

/** Writes the declarations. They are checked against browser types, without the types of Node. */
async function declareClient(folder) {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = join(PACKAGE, 'tsconfig.json');
  await promisify(execFile)(process.execPath, [compiler, '--project', project, '--outDir', folder]);
}

async function licenses() {
  const texts = BUNDLED.map(async (name) => {
    const license = await readFile(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8');
    return `index.js contains ${name}, under this license:\n\n${license}`;
  });
  return (await Promise.all(texts)).join('\n\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(PACKAGE, 'dist');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await Promise.all([bundleClient(folder), declareClient(folder)]);
  } catch (error) {
    console.error(`client: ${error.stdout || error.message}`);
    process.exitCode = 1;
  }
}
