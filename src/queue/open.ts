import type { Log } from '../core/common/log.js';
import type { JobQueue } from './job-queue.js';
import { openPostgresQueue, type PostgresQueueOptions, QUEUE_LISTENERS } from './postgres-backend.js';
import { ReconnectingQueue } from './reconnecting-queue.js';
import { openRedisQueue } from './redis-backend.js';

export interface QueueOptions {
  /** Absent: the queue lives in the database. */
  readonly redisUrl: string | undefined;
  readonly database: { openQueuePool(listeners: number): PostgresQueueOptions['pool'] };
  readonly log: Log;
}

/** Opens the queue on the backend that the configuration names. A Redis that is away is waited for in the background. */
export async function openQueue({ redisUrl, database, log }: QueueOptions): Promise<JobQueue> {
  if (redisUrl === undefined) {
    return openPostgresQueue({ pool: database.openQueuePool(QUEUE_LISTENERS), log });
  }
  const queue = new ReconnectingQueue(() => openRedisQueue({ redisUrl, log }), log);
  await queue.start();
  return queue;
}
