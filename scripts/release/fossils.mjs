// Writes what a release leaves for the tests of later versions, in test/fossils: `node scripts/release/fossils.mjs 0.2.0`.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../build.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCHEMA = join(ROOT, 'src/store/schema');
const FOSSILS = join(ROOT, 'test/fossils');

/** Signature, parameters and result of each function, as test/integration/store/functions.test.ts reads them. */
const SHAPES = `
  SELECT concat_ws(' | ', oid::regprocedure, pg_get_function_arguments(oid), pg_get_function_result(oid)) AS line
  FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  ORDER BY oid::regprocedure::text`;

/** The functions of a database that this checkout creates on a temporary server, a line each. */
async function listFunctions() {
  await buildProgram();
  const { startEmbeddedPostgres } = await import('../../dist/src/store/embedded/start.js');
  const { createPool } = await import('../../dist/src/store/connection/pools.js');
  const { install } = await import('../../dist/src/store/install.js');
  const log = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-fossils-'));
  const server = await startEmbeddedPostgres({ dataDir, log });
  const pool = createPool({ ...server.connection, max: 2 }, log);
  try {
    await install(pool, { log, release: 'fossils' });
    const { rows } = await pool.query(SHAPES);
    return rows.map(({ line }) => `${line}\n`).join('');
  } finally {
    await pool.end();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The checksums of the schema files, in the format of sha256sum. */
function listChecksums() {
  const sumOf = (name) =>
    createHash('sha256')
      .update(readFileSync(join(SCHEMA, name)))
      .digest('hex');
  return readdirSync(SCHEMA)
    .sort()
    .map((name) => `${sumOf(name)}  ${name}\n`)
    .join('');
}

function write(path, text) {
  mkdirSync(join(FOSSILS, path, '..'), { recursive: true });
  writeFileSync(join(FOSSILS, path), text);
  const digest = createHash('sha256').update(text).digest('hex');
  console.log(`  '${path}': '${digest}',`);
}

const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) {
  console.error('Usage: node scripts/release/fossils.mjs VERSION');
  process.exit(2);
}
console.log('The digests for test/unit/fossils.test.ts:');
write(`schemas/${version}.sha256`, listChecksums());
write(`functions/${version}.txt`, await listFunctions());
