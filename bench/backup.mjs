import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { createLog } from '../dist/src/app/log.js';
import { copiedTables } from '../dist/src/store/backup/tables.js';
import { connectClient } from '../dist/src/store/connection/client.js';
import { startEmbeddedPostgres } from '../dist/src/store/embedded/start.js';
import { populate } from './paging/population.mjs';
import { startService, withDataDir } from './support/service.mjs';

const PROGRAM = fileURLToPath(new URL('../bin/trunkline.mjs', import.meta.url));
const ROWS = 1_000_000;
const LIMIT_S = 300;

/** The time of a backup, and of its restore into a new folder, with every row compared. */
export async function backup({ rows = ROWS } = {}) {
  return withDataDir(async (folder) => {
    const [source, target] = ['source', 'target'].map((name) => join(folder, name));
    await Promise.all([mkdir(source), mkdir(target)]);
    const service = await startService(source);
    try {
      await populate(source, rows, (what) => console.log(`  ${what}`));
    } finally {
      await service.stop();
    }
    await copyFile(join(source, 'master.key'), join(target, 'master.key'));
    const file = join(folder, 'one.backup');
    const written = await timed(['backup', file], source);
    const restored = await timed(['restore', file], target);
    const { size } = await stat(file);
    const [before, after] = [await digests(source), await digests(target)];
    const different = [...before.keys()].filter(
      (name) => !isDeepStrictEqual(before.get(name), after.get(name)),
    );
    if (different.length > 0) throw new Error(`These tables differ: ${different.join(', ')}.`);
    return [
      line(`Backup of ${rows} messages, ${Math.round(size / 1e6)} MB`, written),
      line(`Restore of ${rows} messages, identical in ${before.size} tables`, restored),
    ];
  });
}

/** Seconds that the command takes from its start to its end. */
async function timed(args, dataDir) {
  const startedAt = performance.now();
  const env = { ...process.env, DATA_DIR: dataDir };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`trunkline ${args[0]} ended with ${code}.`);
  return (performance.now() - startedAt) / 1000;
}

/** The number of rows of each table, and the sum of their hashes. */
async function digests(dataDir) {
  const server = await startEmbeddedPostgres({ dataDir, log: createLog('error') });
  const client = await connectClient(server.connection);
  try {
    const found = new Map();
    for (const { name, columns } of await copiedTables(client)) {
      const list = columns.filter((column) => column !== 'place').map((column) => `"${column}"::text`);
      const { rows } = await client.query(
        `SELECT count(*) AS rows, sum(hashtextextended(ROW(${list.join(', ')})::text, 0)::numeric) AS hash FROM "${name}"`,
      );
      found.set(name, rows[0]);
    }
    return found;
  } finally {
    await client.end();
    await server.stop();
  }
}

function line(what, seconds) {
  return {
    what,
    ours: `${seconds.toFixed(1)} s`,
    limit: `${LIMIT_S} s`,
    figure: (seconds / LIMIT_S).toFixed(2),
    required: '≤ 1',
    met: seconds <= LIMIT_S,
  };
}
