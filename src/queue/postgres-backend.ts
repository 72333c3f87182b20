import { createPostgresBackend, type PgPool, runMigrations, withBackend } from 'bullmq';
import type { Log } from '../core/common/log.js';
import { BullQueue, IDLE_POLL_SECONDS } from './bullmq-queue.js';
import { type JobQueue, type QueueTiming, TOPICS } from './job-queue.js';

/** Number of connections that the workers hold in addition to the shared ones. */
export const QUEUE_LISTENERS = TOPICS.length;

export interface PostgresQueueOptions extends QueueTiming {
  /** A separate pool, `Database.openQueuePool(QUEUE_LISTENERS)`. The queue ends it on close. */
  pool: PgPool;
  log: Log;
}

/** Opens the queue in PostgreSQL. The schema `bullmq` is created or upgraded first. */
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
 * BullMQ's backend with a short maximum wait of its workers.
 *
 * By default, a worker whose connection failed waits for up to an hour for a notification of the next job. If its new
 * connection fails just after it began to listen, no notification arrives, and the worker would wait for that hour.
 */
const createWakefulBackend: typeof createPostgresBackend = (...given) => {
  const backend = createPostgresBackend(...given);
  return Object.defineProperty(backend, 'maximumBlockTimeout', { value: IDLE_POLL_SECONDS });
};

// Queue rows are short-lived. With the default settings of autovacuum, hundreds of thousands of dead rows accumulate.
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

/** Creates or upgrades BullMQ's tables. A lock of BullMQ serializes processes that start at the same time. */
export async function prepareQueueSchema(pool: PgPool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client);
    await client.query(TUNE_TABLES);
  } finally {
    client.release();
  }
}
