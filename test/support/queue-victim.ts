import { openPostgresQueue, QUEUE_LISTENERS } from '../../src/queue/postgres-backend.js';
import { openRedisQueue } from '../../src/queue/redis-backend.js';
import { createPatientPool } from '../../src/store/connection/pools.js';
import { silentLog } from './log.js';

// A process that takes a job and never finishes it. Arguments: the kind of backend, and its address.
const [kind, url = ''] = process.argv.slice(2);
const timing = { lockMs: 1_000, stalledCheckMs: 500, log: silentLog };
const queue =
  kind === 'redis'
    ? await openRedisQueue({ redisUrl: url, ...timing })
    : await openPostgresQueue({
        pool: createPatientPool(
          { connectionString: url, max: 4 + QUEUE_LISTENERS, options: '-c search_path=bullmq,public' },
          silentLog,
        ),
        ...timing,
      });
queue.work('deliver', { concurrency: 1 }, async ({ id }) => {
  console.log(`started ${id}`);
  await new Promise(() => undefined);
});
console.log('ready');
