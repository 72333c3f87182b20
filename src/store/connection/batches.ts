/** Rows of a transaction, so that none takes long. */
const BATCH = 1_000;
/** After this time the rest is left for another round, because other work waits. */
const ROUND_MS = 1_000;

/** Does batch after batch while there is more, for as long as a round may take. Answers whether some may be left. */
export async function inBatches(work: (most: number) => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + ROUND_MS;
  do {
    if (!(await work(BATCH))) return false;
  } while (performance.now() < until);
  return true;
}

/** The same for work that removes up to `most` rows of each kind and resolves with the most that it removed of one. */
export function purgeInBatches(purge: (most: number) => Promise<number>): Promise<boolean> {
  return inBatches(async (most) => (await purge(most)) >= most);
}
