/** No text may keep the one main thread of the service for longer. In milliseconds of a processor. */
export const LIMIT_MS = 100;
/** The least of so many tries counts: the others hold compilation, collections and what the machine did besides. */
const TRIES = 3;

/** Of this thread where Node tells it, else of the process. */
const usage = (): NodeJS.CpuUsage =>
  (process as unknown as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage?.() ?? process.cpuUsage();

function once(work: () => unknown): number {
  const before = usage();
  work();
  const after = usage();
  return (after.user + after.system - before.user - before.system) / 1000;
}

/** Milliseconds of a processor that a call takes. Only what seems to be too much is done again. */
function processorMs(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > LIMIT_MS; tries += 1) least = Math.min(least, once(work));
  return least;
}

/** So large is each next text: what takes the square of its length is found before it takes minutes. */
const GROWTH = 4;
const FIRST_BYTES = 4_096;

export interface Slow {
  readonly bytes: number;
  readonly ms: number;
}

/** Tries growing sizes up to the largest; answers the first that takes too long, and what the slowest took. */
export function firstTooSlow(
  largest: number,
  workOf: (bytes: number) => () => unknown,
): { readonly slow: Slow | undefined; readonly slowestMs: number } {
  let slowestMs = 0;
  for (let bytes = Math.min(FIRST_BYTES, largest); ; bytes = Math.min(bytes * GROWTH, largest)) {
    const ms = processorMs(workOf(bytes));
    slowestMs = Math.max(slowestMs, ms);
    if (ms > LIMIT_MS) return { slow: { bytes, ms }, slowestMs };
    if (bytes === largest) return { slow: undefined, slowestMs };
  }
}
