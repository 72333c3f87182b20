import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { generateApiKey } from '../dist/src/core/access/api-key-format.js';
import { startChild } from './support/child.mjs';
import { databaseOf, startService, withDataDir } from './support/service.mjs';
import { median } from './support/stats.mjs';

const CONNECTIONS = 32;
const WARM_UP_MS = 2_000;
const ROUND_MS = 3_000;
const ROUNDS = 5;
const REQUIRED = 0.9;
/** More requests than a round can send. */
const PLENTY = 100_000_000;

/** Requests with a key that has an hourly limit, against a key without. The path does not exist, so only the checks cost time. */
export async function limits({ rounds = ROUNDS } = {}) {
  return withDataDir(async (dataDir) => {
    const service = await startService(dataDir);
    const load = await startChild('load');
    try {
      const keys = { unlimited: service.key, limited: await limitedKey(dataDir) };
      const run = async (name, durationMs) => {
        const result = await load.ask({
          url: service.url,
          path: '/openapi/nothing',
          method: 'GET',
          expected: 404,
          headers: { 'x-api-key': keys[name] },
          connections: CONNECTIONS,
          durationMs,
        });
        if (result.failures.length > 0) throw new Error(`${name}: ${result.failures[0]}`);
        return result;
      };
      const results = { unlimited: [], limited: [] };
      for (const name of Object.keys(keys)) await run(name, WARM_UP_MS);
      for (let round = 0; round < rounds; round += 1) {
        for (const name of Object.keys(keys)) results[name].push(await run(name, ROUND_MS));
      }
      return [line(results)];
    } finally {
      await load.stop();
      await service.stop();
    }
  });
}

/** A limit above that of every plan, written directly to the database. */
async function limitedKey(dataDir) {
  const { key, hash, hint } = generateApiKey('live');
  const client = new pg.Client(await databaseOf(dataDir));
  await client.connect();
  try {
    await client.query(
      `INSERT INTO api_keys (id, workspace_id, user_id, name, environment, scopes, rate_limit, hash, hint)
       SELECT $1, workspace_id, user_id, 'Limited', environment, scopes, $2, $3, $4 FROM api_keys LIMIT 1`,
      [uuidv7(), PLENTY, hash, hint],
    );
  } finally {
    await client.end();
  }
  return key;
}

function line({ limited, unlimited }) {
  const rate = (results) => median(results.map(({ perSecond }) => perSecond));
  const ratio = rate(limited) / rate(unlimited);
  const text = (results) =>
    `${Math.round(rate(results))}/s, p50 ${median(results.map(({ p50 }) => p50)).toFixed(1)} ms`;
  return {
    what: `A request that the checks alone answer, of a key with an hourly limit against one without, ${CONNECTIONS} connections`,
    ours: text(limited),
    limit: text(unlimited),
    figure: ratio.toFixed(2),
    required: `≥ ${REQUIRED}`,
    met: ratio >= REQUIRED,
  };
}
