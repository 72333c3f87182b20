import { join } from 'node:path';
import { Verdict } from './ledger/verdict.mjs';
import { Closers } from './rig/closers.mjs';
import { Postgres } from './rig/postgres.mjs';
import { hasRedis } from './rig/redis.mjs';
import { Rig } from './rig/rig.mjs';
import { inParallel } from './rig/waiting.mjs';

const SHORT_LIMIT_MS = 600_000;
const LONG_LIMIT_MS = 1_800_000;

/** Runs every fault with every seed, `atOnce` in parallel. Reports each result as soon as it is available. */
export async function runAll({ faults, seeds, length, atOnce, folder, soak }, report) {
  const redis = hasRedis();
  if (!redis && process.env.CI) throw new Error('redis-server is not installed. CI requires it.');
  const shared = await Postgres.create(join(folder, 'shared'));
  const runs = faults.flatMap((fault) => seeds.map((seed) => ({ fault, seed })));
  try {
    await inParallel(runs, atOnce, async ({ fault, seed }) => {
      report(
        await runOne({
          fault,
          seed,
          length,
          soak,
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

async function runOne({ fault, seed, length, soak, folder, shared, hasRedis: redis }) {
  const startedAt = performance.now();
  const verdict = new Verdict();
  let rig;
  let own;
  // Options of the command line set the length of a soak.
  const load = 'minutes' in fault.lengths[length] ? soak : {};
  const wanted = { ...fault.lengths[length], ...load };
  try {
    if (fault.needsRedis && !redis) throw new Error('redis-server is not in the PATH.');
    own = fault.ownPostgres ? await Postgres.create(folder, fault.postgres) : undefined;
    rig = new Rig({ seed, length, folder, postgres: own ?? shared, hasRedis: redis });
    await withTimeout(
      fault.run(rig, wanted, verdict),
      (length === 'short' ? SHORT_LIMIT_MS : LONG_LIMIT_MS) + (wanted.minutes ?? 0) * 60_000,
    );
    if (verdict.silent) verdict.happened('the run does not report its fault', 0);
  } catch (error) {
    // A run that did not start or end in time shows nothing about the product.
    if (rig?.isOpen !== true || error instanceof RunTimeout)
      verdict.timeCriterion('run completed', error.message, false);
    else verdict.criterion('run completed', error.message, false);
    verdict.details.push(error.stack);
  }
  if (rig?.api !== undefined) {
    const { notJson, notJsonDetails } = rig.api;
    verdict.criterion('responses whose body is not JSON', notJson, notJson === 0);
    verdict.details.push(...notJsonDetails);
  }
  await closeAll([rig, own], verdict);
  const { criteria, figures, details, passed } = verdict;
  const troubles = Object.fromEntries(
    Object.entries(rig?.processes ?? {}).map(([name, one]) => [name, one.troubles]),
  );
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return {
    id: fault.id,
    title: fault.title,
    seed,
    length,
    load,
    mayRepeat: verdict.mayRepeat,
    queue: rig?.queue,
    seconds,
    passed,
    criteria,
    figures,
    details,
    troubles,
  };
}

/** Closes every part. A part that cannot be closed fails the run. */
async function closeAll(parts, verdict) {
  const closers = new Closers();
  for (const part of parts.toReversed()) if (part !== undefined) closers.add(() => part.close());
  try {
    await closers.close();
  } catch ({ errors }) {
    const all = errors.flatMap((error) => (error instanceof AggregateError ? error.errors : error));
    verdict.criterion('everything closed', all.map(({ message }) => message).join(' '), false);
    verdict.details.push(...all.map(({ stack }) => stack));
  }
}

class RunTimeout extends Error {}

function withTimeout(work, limitMs) {
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new RunTimeout(`The run exceeded ${limitMs / 1000} s.`)), limitMs);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
