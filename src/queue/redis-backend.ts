import { Queue, Worker } from 'bullmq';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../core/common/log.js';
import { BullQueue } from './bullmq-queue.js';
import { type JobQueue, type QueueTiming, QueueUnreachableError, type Topic } from './job-queue.js';
import { throttledErrors } from './throttled-errors.js';

const CONNECT_LIMIT_MS = 5_000;
const COMMAND_LIMIT_MS = 5_000;
const MAX_PAUSE_MS = 2_000;
/** Separates Trunkline's keys from others on a shared server. In a cluster, all keys of a topic are on one node. */
const prefixOf = (topic: Topic) => `{trunkline-${topic}}`;

export interface RedisQueueOptions extends QueueTiming {
  /** `redis://…` or `rediss://…`. */
  redisUrl: string;
  log: Log;
}

/**
 * Opens the queue in Redis.
 *
 * Throws QueueUnreachableError if the server does not respond now. Later outages are tolerated, even if the server loses
 * its data.
 */
export async function openRedisQueue({ redisUrl, log, ...timing }: RedisQueueOptions): Promise<JobQueue> {
  // While Redis is unavailable, adding jobs fails at once, because the outbox keeps them. Workers wait for it.
  const inCluster = await isCluster(redisUrl, log);
  const producing = connection(redisUrl, log, inCluster, {
    enableOfflineQueue: false,
    commandTimeout: COMMAND_LIMIT_MS,
  });
  const consuming = connection(redisUrl, log, inCluster, {});
  const disconnect = () => {
    producing.disconnect();
    consuming.disconnect();
  };
  try {
    await firstConnect(producing, redisUrl);
    await firstConnect(consuming, redisUrl);
    await warnOfEviction(producing, log);
    const queue = new BullQueue(
      {
        createProducer: (topic) => new Queue(topic, { connection: producing, prefix: prefixOf(topic) }),
        createConsumer: (topic, processor, options) =>
          new Worker(topic, processor, { connection: consuming, prefix: prefixOf(topic), ...options }),
        close: async () => disconnect(),
      },
      { log, ...timing },
    );
    await queue.waitUntilReady();
    return queue;
  } catch (error) {
    disconnect();
    throw error;
  }
}

type Connection = Redis | Cluster;

export function connection(
  redisUrl: string,
  log: Log,
  inCluster: boolean,
  options: RedisOptions,
): Connection {
  const settings: RedisOptions = {
    connectTimeout: CONNECT_LIMIT_MS,
    // A command without a response reveals a network that drops packets.
    socketTimeout: 4 * COMMAND_LIMIT_MS,
    maxRetriesPerRequest: null,
    ...options,
  };
  const pauseMs = (times: number) => Math.min(times * 100, MAX_PAUSE_MS);
  const redis = inCluster
    ? new Cluster([nodeOf(redisUrl)], {
        lazyConnect: true,
        enableOfflineQueue: options.enableOfflineQueue ?? true,
        clusterRetryStrategy: pauseMs,
        redisOptions: { ...settings, ...secretsOf(redisUrl) },
      })
    : new Redis(redisUrl, { ...settings, lazyConnect: true, retryStrategy: pauseMs });
  redis.on('error', throttledErrors(log, 'redis.connection_failed'));
  return redis;
}

/** Whether the server is a node of a cluster. The node then lists the other nodes. */
async function isCluster(redisUrl: string, log: Log): Promise<boolean> {
  const redis = connection(redisUrl, log, false, { retryStrategy: () => null });
  try {
    await firstConnect(redis, redisUrl);
    return /^cluster_enabled:1/m.test(await redis.info('cluster'));
  } finally {
    redis.disconnect();
  }
}

function nodeOf(redisUrl: string): { host: string; port: number } {
  const { hostname, port } = new URL(redisUrl);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) };
}

function secretsOf(redisUrl: string): RedisOptions {
  const { protocol, username, password } = new URL(redisUrl);
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
}

export async function firstConnect(redis: Connection, redisUrl: string): Promise<void> {
  let reason = 'no answer in time';
  const remember = (error: Error & { code?: string }) => {
    reason = error.code ?? error.message.split(' ')[0] ?? reason;
  };
  redis.on('error', remember);
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    throw new QueueUnreachableError(
      `Can't reach Redis at ${placeOf(redisUrl)} (${reason}). Start it, correct REDIS_URL, or remove REDIS_URL to keep the queue in the database.`,
      { cause },
    );
  } finally {
    redis.off('error', remember);
  }
}

/** Host and port of an address, without its password. */
function placeOf(redisUrl: string): string {
  return URL.canParse(redisUrl) ? new URL(redisUrl).host : 'REDIS_URL';
}

async function warnOfEviction(redis: Connection, log: Log): Promise<void> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1];
  if (policy === undefined || policy === 'noeviction') return;
  log.warn(
    { policy, advice: 'Set maxmemory-policy to noeviction: evicted jobs wait until the sweeper finds them.' },
    'redis.eviction_policy_unsafe',
  );
}
