import { createPostgresBackend, type PgPool, runMigrations, withBackend } from 'bullmq';
import type { Log } from '../core/common/log.js';
import { BullQueue, IDLE_LOOK_SECONDS } from './bullmq-queue.js';
import { type JobQueue, type QueueTiming, TOPICS } from './job-queue.js';

/** Connections that the workers hold for themselves, on top of those that all share. */
export const QUEUE_LISTENERS = TOPICS.length;

export interface PostgresQueueOptions extends QueueTiming {
  /** A pool of its own, `Database.openQueuePool(QUEUE_LISTENERS)`; the queue ends it when it is closed. */
  pool: PgPool;
  log: Log;
}

/** Opens the queue in PostgreSQL, in the schema `bullmq`, which is created or brought up to date first. */
export async function openPostgresQueue({ pool, log, ...timing }: PostgresQueueOptions): Promise<JobQueue> {
  await prepareQueueSchema(pool);
  const { Queue, Worker } = withBackend(createWakefulBackend);
  const queue = new BullQueue(
    {
      createProducer: (topic) => new Queue(topic, { connection: pool }),
      createConsumer: (topic, processor, options) =>
        new Worker(topic, processor, { connection: pool, ...options }),
      close: () => pool.end(),
    },
    { log, ...timing },
  );
  await queue.waitUntilReady();
  return queue;
}

/**
 * BullMQ's own, whose workers wait no longer than an idle one does.
 *
 * A worker whose connection failed waits for up to an hour for a notice of the next job. When its new connection dies in
 * the moment in which it has begun to listen, nothing tells it, and it would sleep through that hour.
 */
const createWakefulBackend: typeof createPostgresBackend = (...given) => {
  const backend = createPostgresBackend(...given);
  return Object.defineProperty(backend, 'maximumBlockTimeout', { value: IDLE_LOOK_SECONDS });
};

// Rows of a queue live for moments: with the defaults their remains pile up by the hundred thousand.
const TUNE_TABLES = `
  DO $$ DECLARE target regclass; BEGIN
    FOR target IN SELECT c.oid::regclass FROM pg_class c
      WHERE c.oid IN (to_regclass('bullmq.job'), to_regclass('bullmq.event'))
        AND c.relkind = 'r' AND c.reloptions IS NULL
    LOOP
      EXECUTE format('ALTER TABLE %s SET (autovacuum_vacuum_scale_factor = 0,
        autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0)', target);
    END LOOP;
  END $$`;

/** Creates or upgrades BullMQ's tables. Processes that start at once take turns, under a lock of BullMQ's. */
export async function prepareQueueSchema(pool: PgPool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client);
    await client.query(TUNE_TABLES);
  } finally {
    client.release();
  }
}
