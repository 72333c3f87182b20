import { randomBytes } from 'node:crypto';
import { createLog } from '../dist/src/app/log.js';
import { createPool } from '../dist/src/store/connection/pools.js';
import { startEmbeddedPostgres } from '../dist/src/store/embedded/start.js';
import { install } from '../dist/src/store/install.js';
import { InstallationSecretBox } from '../dist/src/store/secrets/installation-secret-box.js';
import { checkMasterKey } from '../dist/src/store/secrets/master-key.js';
import { rotateMasterKey } from '../dist/src/store/secrets/rotation.js';
import { AesSecretBox } from '../dist/src/store/secrets/secret-box.js';
import { withDataDir } from './support/service.mjs';
import { median } from './support/stats.mjs';

const WORKSPACES = 10_000;
const AT_ONCE = 10;
const ROUNDS = 7;
const VALUES = 20_000;
const RATIO = 0.8;
const LIMIT_S = 30;
/** As long as the credentials of a connection usually are. */
const TEXT = 'x'.repeat(200);

/** Sealing and opening under a key of a workspace, against a derived key; and the rotation of the master key. */
export async function secrets({ rows = WORKSPACES } = {}) {
  return withDataDir(async (dataDir) => {
    const log = createLog('error');
    const server = await startEmbeddedPostgres({ dataDir, log });
    const pool = createPool({ ...server.connection, max: AT_ONCE }, log);
    try {
      await install(pool, { log, release: 'bench' });
      const [first, second] = [randomBytes(32), randomBytes(32)];
      const box = new AesSecretBox(first);
      await checkMasterKey(pool, box);
      const secretBox = new InstallationSecretBox(pool, box);
      const workspaces = await makeKeys(pool, secretBox, rows);
      const lines = await compare(box, secretBox, workspaces[0]);
      const startedAt = performance.now();
      const rotation = await rotateMasterKey(pool, new AesSecretBox(second, first), new AesSecretBox(second));
      const seconds = (performance.now() - startedAt) / 1000;
      if (rotation.wrappedAgain !== rows)
        throw new Error(`${rotation.wrappedAgain} keys were wrapped again.`);
      return [...lines, rotationLine(rows, seconds)];
    } finally {
      await pool.end();
      await server.stop();
    }
  });
}

async function makeKeys(pool, secretBox, count) {
  const { rows } = await pool.query(
    `INSERT INTO workspaces (id, name) SELECT uuid7(), 'Bench' FROM generate_series(1, $1) RETURNING id`,
    [count],
  );
  const ids = rows.map(({ id }) => id);
  const left = [...ids];
  const work = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await secretBox.sealer(id);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids;
}

/** Both sides in turns, per second on one core. */
async function compare(box, secretBox, workspaceId) {
  const place = { workspaceId, rowId: 'row', field: 'credentials' };
  const sealer = await secretBox.sealer(workspaceId);
  const [derived, own] = [box.seal(TEXT, place), sealer.seal(TEXT, place)];
  const tries = {
    sealDerived: () => box.seal(TEXT, place),
    seal: () => sealer.seal(TEXT, place),
    openDerived: () => box.open(derived, place),
    open: () => secretBox.open(own, place),
  };
  const found = new Map(Object.keys(tries).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(tries)) {
      const startedAt = performance.now();
      for (let n = 0; n < VALUES; n += 1) await run();
      // The first round warms up.
      if (round > 0) found.get(name).push((VALUES * 1000) / (performance.now() - startedAt));
    }
  }
  const rate = (name) => median(found.get(name));
  return [
    line('A secret of 200 characters sealed under a key of a workspace', rate('seal'), rate('sealDerived')),
    line('The same opened, with its key in memory', rate('open'), rate('openDerived')),
  ];
}

function line(what, ours, limit) {
  return {
    what,
    ours: `${Math.round(ours)}/s`,
    limit: `${Math.round(limit)}/s`,
    figure: (ours / limit).toFixed(2),
    required: `≥ ${RATIO}`,
    met: ours / limit >= RATIO,
  };
}

function rotationLine(rows, seconds) {
  return {
    what: `Rotation of the master key over ${rows} workspaces`,
    ours: `${seconds.toFixed(1)} s`,
    limit: '–',
    figure: `${seconds.toFixed(1)} s`,
    required: `≤ ${LIMIT_S} s`,
    met: seconds <= LIMIT_S,
  };
}
