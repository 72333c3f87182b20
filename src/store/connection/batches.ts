/** Maximum number of rows per transaction, so that no transaction takes long. */
const BATCH = 1_000;
/** After this time, the rest is left for the next round, because other work waits. */
const ROUND_MS = 1_000;

/** Runs batches until no work is left or the round's time is over. Resolves with whether work may be left. */
export async function inBatches(work: (batchSize: number) => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + ROUND_MS;
  do {
    if (!(await work(BATCH))) return false;
  } while (performance.now() < until);
  return true;
}

/**
 * The same for work that removes up to `batchSize` rows of each kind and resolves with the highest number that it removed of one kind.
 */
export function purgeInBatches(purge: (batchSize: number) => Promise<number>): Promise<boolean> {
  return inBatches(async (batchSize) => (await purge(batchSize)) >= batchSize);
}
