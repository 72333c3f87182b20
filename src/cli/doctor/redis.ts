import { redisFacts } from '../../app/inspection.js';
import type { Config } from '../../config.js';
import { type Finding, ok, problem, warning } from './finding.js';

const NAME = 'Redis';
/** The oldest major version that the queue library supports and that is tested. */
const OLDEST_MAJOR = 6;
const FULL = 0.9;

/** Checks whether Redis responds, accepts writes and does not evict jobs. */
export async function checkRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === undefined) return [ok(NAME, 'Not configured: the queue is in the database.')];
  let facts: Awaited<ReturnType<typeof redisFacts>>;
  try {
    facts = await redisFacts(redisUrl);
  } catch (error) {
    if ((error as Error).name !== 'QueueUnreachableError') throw error;
    return [problem(NAME, (error as Error).message, 'Start Redis, correct REDIS_URL, or remove REDIS_URL.')];
  }
  const found = [...servingOf(facts), ...memoryOf(facts)];
  if (found.length > 0) return found;
  const disk = facts.persists ? 'It writes to its disk, which the queue does not need.' : '';
  return [ok(NAME, `Redis ${facts.version} answers and evicts nothing. ${disk}`)];
}

type Facts = Awaited<ReturnType<typeof redisFacts>>;

function servingOf({ version, role, savesFail }: Facts): Finding[] {
  const found: Finding[] = [];
  if (role !== '' && role !== 'master')
    found.push(
      problem(NAME, 'The server is a replica and takes no writes.', 'Set REDIS_URL to the primary.'),
    );
  if (Number.parseInt(version, 10) < OLDEST_MAJOR)
    found.push(
      problem(NAME, `Redis ${version} is too old for the queue.`, 'Use Redis 6.2 or newer, or Valkey.'),
    );
  if (savesFail)
    found.push(
      problem(
        NAME,
        'Redis cannot write to its disk, and by default it then refuses all writes.',
        'Free the disk, or switch persistence off: CONFIG SET save "" and appendonly no. The queue needs none.',
      ),
    );
  return found;
}

function memoryOf({ evictionPolicy, maxMemory, usedMemory }: Facts): Finding[] {
  const found: Finding[] = [];
  if (evictionPolicy !== '' && evictionPolicy !== 'noeviction')
    found.push(
      warning(
        NAME,
        `maxmemory-policy is ${evictionPolicy}: Redis drops jobs when its memory is full, and they wait for the sweeper.`,
        'Set maxmemory-policy noeviction in redis.conf, or CONFIG SET maxmemory-policy noeviction.',
      ),
    );
  if (maxMemory > 0 && usedMemory > FULL * maxMemory)
    found.push(
      warning(
        NAME,
        `${Math.round((100 * usedMemory) / maxMemory)} % of maxmemory are used.`,
        'Raise maxmemory, or give the queue a server of its own.',
      ),
    );
  return found;
}
