import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Postgres } from '../../faults/rig/postgres.mjs';
import { RedisServer } from '../../faults/rig/redis.mjs';

/**
 * Starts PostgreSQL and Redis servers as an operator does and passes their settings to `work`. `bin` is the folder of the
 * programs of another PostgreSQL. Without `withRedis` the queue is in the database.
 */
export async function withServers(work, { bin, withRedis = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-bench-servers-'));
  const redis = withRedis ? new RedisServer(folder) : undefined;
  let postgres;
  try {
    postgres = await Postgres.create(folder, { bin });
    await redis?.start();
    const database = { host: postgres.host, user: 'trunkline', database: await postgres.newDatabase() };
    return await work({
      database,
      unfinished: redis && (() => unfinishedJobs(redis.port)),
      env: {
        DATABASE_URL: `postgres://trunkline@localhost/${database.database}?host=${encodeURIComponent(postgres.host)}`,
        ...(redis && { REDIS_URL: `redis://127.0.0.1:${redis.port}` }),
      },
    });
  } finally {
    await redis?.close();
    await postgres?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waiting and active jobs of all topics. */
async function unfinishedJobs(port) {
  const client = new Redis({ port, host: '127.0.0.1' });
  try {
    const lists = (await client.keys('{trunkline-*:wait')).concat(await client.keys('{trunkline-*:active'));
    const lengths = await Promise.all(lists.map((list) => client.llen(list)));
    const urgent = await client.keys('{trunkline-*:prioritized');
    const more = await Promise.all(urgent.map((set) => client.zcard(set)));
    return [...lengths, ...more].reduce((sum, each) => sum + each, 0);
  } finally {
    client.disconnect();
  }
}
