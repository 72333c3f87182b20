// Writes src/store/calls.gen.ts: the typed calls of the database functions that TypeScript imports from it. A test compares it with
// the functions.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { CALLS, generateCalls } from './calls/generate.mjs';

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
    await writeFile(join(ROOT, CALLS), await generateCalls(ROOT, pool));
  } finally {
    await pool.end();
  }
  console.log(CALLS);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
