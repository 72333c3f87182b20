import type { Log } from '../core/common/log.js';
import type { JobQueue } from './job-queue.js';
import { openPostgresQueue, type PostgresQueueOptions, QUEUE_LISTENERS } from './postgres-backend.js';
import { ReconnectingQueue } from './reconnecting-queue.js';
import { openRedisQueue } from './redis-backend.js';

export interface QueueOptions {
  /** Undefined: the queue is stored in the database. */
  readonly redisUrl: string | undefined;
  readonly database: { openQueuePool(listeners: number): PostgresQueueOptions['pool'] };
  readonly log: Log;
}

/** Opens the queue on the configured backend. If Redis is unavailable, opening is retried in the background. */
export async function openQueue({ redisUrl, database, log }: QueueOptions): Promise<JobQueue> {
  if (redisUrl === undefined) {
    return openPostgresQueue({ pool: database.openQueuePool(QUEUE_LISTENERS), log });
  }
  const queue = new ReconnectingQueue(() => openRedisQueue({ redisUrl, log }), log);
  await queue.start();
  return queue;
}
