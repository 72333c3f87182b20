import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { underLoad } from '../load/standard.mjs';
import { sleep } from '../rig/waiting.mjs';

/** Redis is out of memory: it refuses writes or evicts random keys. */
export const f07 = {
  id: 'F7',
  title: 'Redis without memory: refusing writes, then evicting keys',
  needsRedis: true,
  lengths: {
    short: { chats: 10, messages: 240, perSecond: 40, fullMs: 3_000 },
    long: { chats: 250, messages: 12_000, perSecond: 200, fullMs: 20_000 },
  },
  async run(rig, { fullMs, ...load }, verdict) {
    await rig.open({
      queue: 'redis',
      redis: ['--maxmemory-policy', 'allkeys-random'],
      platforms: { telegram: {}, discord: {} },
    });
    const log = await readFile(join(rig.folder, 'service.log'), 'utf8');
    const warns = log.includes('redis.eviction_policy_unsafe');
    verdict.criterion('startup warns about the policy', warns ? 'yes' : 'no', warns);
    await underLoad(rig, load, verdict, async () => {
      for (const policy of ['noeviction', 'allkeys-random']) {
        await rig.redis.call('CONFIG', 'SET', 'maxmemory-policy', policy);
        await rig.redis.call('CONFIG', 'SET', 'maxmemory', '1');
        await sleep(fullMs);
        await rig.redis.call('CONFIG', 'SET', 'maxmemory', '0');
      }
    });
    verdict.happened('writes that Redis refused', await rig.redis.figure('errorstats', 'errorstat_OOM'));
    verdict.happened('keys that Redis evicted', await rig.redis.figure('stats', 'evicted_keys'));
  },
};
