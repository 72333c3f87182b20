import { join } from 'node:path';
import { Verdict } from './ledger/verdict.mjs';
import { Postgres } from './rig/postgres.mjs';
import { hasRedis } from './rig/redis.mjs';
import { Rig } from './rig/rig.mjs';
import { inParallel } from './rig/waiting.mjs';

const SHORT_LIMIT_MS = 600_000;
const LONG_LIMIT_MS = 1_800_000;

/** Runs every fault with every seed, so many at once, and tells of each result as soon as it is there. */
export async function runAll({ faults, seeds, length, atOnce, folder }, tell) {
  const redis = hasRedis();
  if (!redis && process.env.CI)
    throw new Error('redis-server is not installed, and CI must not go without it.');
  const shared = await Postgres.create(join(folder, 'shared'));
  const runs = faults.flatMap((fault) => seeds.map((seed) => ({ fault, seed })));
  try {
    await inParallel(runs, atOnce, async ({ fault, seed }) => {
      tell(
        await runOne({
          fault,
          seed,
          length,
          folder: join(folder, `${fault.id}-${seed}`),
          shared,
          hasRedis: redis,
        }),
      );
    });
  } finally {
    await shared.close();
  }
}

async function runOne({ fault, seed, length, folder, shared, hasRedis: redis }) {
  const startedAt = performance.now();
  const verdict = new Verdict();
  let rig;
  let own;
  try {
    if (fault.needsRedis && !redis) throw new Error('redis-server is not in the path.');
    own = fault.ownPostgres ? await Postgres.create(folder, fault.postgres) : undefined;
    rig = new Rig({ seed, length, folder, postgres: own ?? shared, hasRedis: redis });
    await inTime(
      fault.run(rig, fault.lengths[length], verdict),
      length === 'short' ? SHORT_LIMIT_MS : LONG_LIMIT_MS,
    );
    if (verdict.silent) verdict.struck('the run does not say', 0);
  } catch (error) {
    verdict.bar('the run itself', error.message, false);
    verdict.details.push(error.stack);
  } finally {
    await rig?.close();
    await own?.close();
  }
  const { bars, figures, details, passed } = verdict;
  const troubles = Object.fromEntries(
    Object.entries(rig?.processes ?? {}).map(([name, one]) => [name, one.troubles]),
  );
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return {
    id: fault.id,
    title: fault.title,
    seed,
    length,
    queue: rig?.queue,
    seconds,
    passed,
    bars,
    figures,
    details,
    troubles,
  };
}

function inTime(work, limitMs) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${limitMs / 1000} s.`)), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
