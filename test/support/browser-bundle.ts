import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ENTRY = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url));

/** The client library as one script for a page, which defines the global `trunkline`. */
export async function clientBundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'trunkline',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}
