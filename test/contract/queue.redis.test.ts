import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOPICS } from '../../src/queue/job-queue.js';
import { ReconnectingQueue } from '../../src/queue/reconnecting-queue.js';
import { openRedisQueue } from '../../src/queue/redis-backend.js';
import { freePort } from '../support/free-port.js';
import { recordingLog } from '../support/log.js';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.js';
import { waitFor } from '../support/wait-for.js';
import { queueContract } from './queue-contract.js';

describe.skipIf(!hasRedis())('the queue with redis-server', () => {
  let redis: TestRedis;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterAll(() => redis.stop());

  queueContract('Redis', {
    async freshStore() {
      await redis.client.flushall();
      return {
        open: (options) => openRedisQueue({ redisUrl: redis.url, ...options }),
        address: ['redis', redis.url],
        close: async () => undefined,
      };
    },
  });

  it.each(['runs', 'has just been started'])(
    'refuses new jobs while Redis is unavailable, and continues after it restarts empty, if the worker %s',
    async (worker) => {
      await redis.client.flushall();
      const log = recordingLog();
      const queue = await openRedisQueue({ redisUrl: redis.url, log });
      try {
        const ids: string[] = [];
        queue.work('deliver', { concurrency: 1 }, async ({ id = '' }) => {
          ids.push(id);
        });
        const add = (id: string) => queue.addAll([{ id, topic: 'deliver', payload: { id } }]);
        if (worker === 'runs') {
          await add('first');
          await waitFor(() => expect(ids).toEqual(['first']));
        }
        await redis.kill();
        // The first call may be in progress when the connection breaks. It then fails only after its timeout.
        await expect(add('lost')).rejects.toThrow();
        const startedAt = Date.now();
        await expect(add('refused')).rejects.toThrow();
        expect(Date.now() - startedAt).toBeLessThan(1_000);
        await redis.start();
        await waitFor(() => add('b'));
        await waitFor(() => expect(ids).toContain('b'));
      } finally {
        await queue.close(0);
      }
    },
  );

  it('leaves no connection and starts no worker when it is closed during its first attempt', async () => {
    const log = recordingLog();
    const ran: string[] = [];
    await redis.client.flushall();
    await addJob(redis.url);
    const queue = new ReconnectingQueue(() => openRedisQueue({ redisUrl: redis.url, log }), log);
    queue.work('deliver', { concurrency: 1 }, async ({ id = '' }) => void ran.push(id));
    const started = queue.start();
    await queue.close(0);
    await started;
    // The connection of this test is the only one.
    const clients = async () =>
      String(await redis.client.client('LIST'))
        .trim()
        .split('\n');
    await waitFor(async () => expect(await clients()).toHaveLength(1));
    expect(ran).toEqual([]);
    await queue.start();
    expect(await clients()).toHaveLength(1);
  });

  it('keeps working after FLUSHALL', async () => {
    await redis.client.flushall();
    const queue = await openRedisQueue({ redisUrl: redis.url, log: recordingLog() });
    try {
      const ids: string[] = [];
      queue.work('deliver', { concurrency: 1 }, async ({ id = '' }) => {
        ids.push(id);
      });
      await redis.client.flushall();
      await queue.addAll([{ id: 'c', topic: 'deliver', payload: { id: 'c' } }]);
      await waitFor(() => expect(ids).toEqual(['c']));
    } finally {
      await queue.close(0);
    }
  });

  it('warns of a server that may evict jobs', async () => {
    await redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const log = recordingLog();
    const queue = await openRedisQueue({ redisUrl: redis.url, log });
    await queue.close();
    await redis.client.config('SET', 'maxmemory-policy', 'noeviction');
    expect(log.lines.map(({ event }) => event)).toContain('redis.eviction_policy_unsafe');
  });
});

async function addJob(redisUrl: string): Promise<void> {
  const queue = await openRedisQueue({ redisUrl, log: recordingLog() });
  await queue.addAll([{ id: 'a', topic: 'deliver', payload: { id: 'a' } }]);
  await queue.close(0);
}

it('the queue names an unreachable Redis server in its error, without the password', async () => {
  const error = await openRedisQueue({ redisUrl: 'redis://:hidden@127.0.0.1:1', log: recordingLog() }).then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(error?.name).toBe('QueueUnreachableError');
  expect(error?.message).toContain('127.0.0.1:1 (ECONNREFUSED)');
  expect(error?.message).not.toContain('hidden');
});

describe.skipIf(!hasRedis())('the queue with a cluster node', () => {
  let redis: TestRedis;

  beforeAll(async () => {
    // The default, the port plus 10,000, may be the port of another connection.
    const bus = String(await freePort());
    const cluster = ['--cluster-enabled', 'yes', '--cluster-port', bus];
    redis = await startRedis([...cluster, '--cluster-announce-ip', '127.0.0.1']);
    await redis.client.cluster('ADDSLOTSRANGE', 0, 16_383);
    await waitFor(async () => expect(await redis.client.cluster('INFO')).toContain('cluster_state:ok'));
  });

  afterAll(() => redis.stop());

  it('receives the jobs of all topics, and keeps the keys of each topic in one slot', async () => {
    const queue = await openRedisQueue({ redisUrl: redis.url, log: recordingLog() });
    try {
      const done: string[] = [];
      for (const topic of TOPICS) queue.work(topic, { concurrency: 1 }, async () => void done.push(topic));
      await queue.addAll(TOPICS.map((topic) => ({ id: `a-${topic}`, topic, payload: {} })));
      await waitFor(() => expect([...done].sort()).toEqual([...TOPICS].sort()));
      const keys = await redis.client.keys('*');
      const slots = new Set(await Promise.all(keys.map((name) => redis.client.cluster('KEYSLOT', name))));
      expect(slots.size).toBe(TOPICS.length);
    } finally {
      await queue.close(0);
    }
  });
});
