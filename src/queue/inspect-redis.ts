import type { Log } from '../core/common/log.js';
import { connection, firstConnect } from './redis-backend.js';

/** Facts that a Redis server reports about itself. */
export interface RedisFacts {
  readonly version: string;
  readonly role: string;
  readonly evictionPolicy: string;
  /** In bytes. 0: no limit. */
  readonly maxMemory: number;
  readonly usedMemory: number;
  /** Whether the server persists its data, with snapshots or a log. */
  readonly persists: boolean;
  /** Whether the last snapshot or log write failed. By default, the server then refuses writes. */
  readonly savesFail: boolean;
}

/** Queries the server once. Throws QueueUnreachableError with a message that contains no password. */
export async function inspectRedis(redisUrl: string, log: Log): Promise<RedisFacts> {
  const redis = connection(redisUrl, log, false, { retryStrategy: () => null });
  try {
    await firstConnect(redis, redisUrl);
    const fields = fieldsOf(await redis.info());
    const value = (name: string) => fields.get(name) ?? '';
    return {
      version: value('redis_version'),
      role: value('role'),
      evictionPolicy: value('maxmemory_policy'),
      maxMemory: Number(value('maxmemory') || 0),
      usedMemory: Number(value('used_memory') || 0),
      persists: value('aof_enabled') === '1' || (await savesSnapshots(redis)),
      savesFail: value('rdb_last_bgsave_status') === 'err' || value('aof_last_write_status') === 'err',
    };
  } finally {
    redis.disconnect();
  }
}

function fieldsOf(info: string): ReadonlyMap<string, string> {
  const pairs = info.split(/\r?\n/).map((line) => line.split(':', 2));
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}

/** Undecided on servers that refuse CONFIG, as managed ones do. */
async function savesSnapshots(redis: ReturnType<typeof connection>): Promise<boolean> {
  const answer = await redis.config('GET', 'save').catch(() => []);
  return Array.isArray(answer) && String(answer[1] ?? '') !== '';
}
