// Writes src/store/calls.gen.ts, the typed calls of the database functions that TypeScript imports from it, and the schemas of
// their results, which tests apply. A test compares both with the functions.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { generateCalls } from './calls/generate.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

await build();
const [{ startEmbeddedPostgres }, { install }, { createPool }] = await Promise.all(
  ['embedded/start.js', 'install.js', 'connection/pools.js'].map(
    (file) => import(`../dist/src/store/${file}`),
  ),
);
const nothing = () => undefined;
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const dataDir = await mkdtemp(join(tmpdir(), 'trunkline-calls-'));
const server = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } });
try {
  const pool = createPool({ ...server.connection, max: 1 }, log);
  try {
    await install(pool, { log, release: 'calls' });
    for (const [file, text] of await generateCalls(ROOT, pool)) {
      await writeFile(join(ROOT, file), text);
      console.log(file);
    }
  } finally {
    await pool.end();
  }
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
