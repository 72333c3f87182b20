/** The minimum of this many tries counts. The others include compilation, garbage collection and other load. */
const TRIES = 3;

/** CPU time of this thread if Node provides it, else of the process. */
const usage = (): NodeJS.CpuUsage =>
  (process as unknown as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage?.() ?? process.cpuUsage();

function once(work: () => unknown): number {
  const before = usage();
  work();
  const after = usage();
  return (after.user + after.system - before.user - before.system) / 1000;
}

/** A fixed amount of work, in additions, and its CPU time on the machine for which the limit was chosen. */
const REFERENCE = { additions: 100_000_000, ms: 190 };

/** The CPU time of the reference work on this machine relative to that machine, at least 1. */
function slowness(): number {
  const add = () => {
    let sum = 0;
    for (let at = 0; at < REFERENCE.additions; at += 1) sum += at;
    return sum;
  };
  const ms = Math.min(...Array.from({ length: TRIES }, () => once(add)));
  return Math.max(1, ms / REFERENCE.ms);
}

/**
 * The longest time that a text may block the main thread of the service, in milliseconds of CPU time: 100 ms on the reference
 * machine.
 */
export const LIMIT_MS = Math.round(100 * slowness());

/** Milliseconds of CPU time of a call. Only a call that seems too slow is repeated. */
function processorMs(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > LIMIT_MS; tries += 1) least = Math.min(least, once(work));
  return least;
}

/** Factor between sizes. Work that grows with the square of the length is found before it takes minutes. */
const GROWTH = 4;
const FIRST_BYTES = 4_096;

export interface Slow {
  readonly bytes: number;
  readonly ms: number;
}

/** Tries growing sizes up to the largest. Returns the first that is too slow, and the time of the slowest. */
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
