/** Waits between tries after a transient failure that certainly wrote nothing, in ms. Four waits: five tries. */
export const RETRY_WAITS_MS = [10_000, 60_000, 600_000, 2_700_000] as const;

/** Every wait is spread by ±10 %, so that failures of one moment don't come back in one moment. */
export const RETRY_JITTER = 0.1;

/** Wait before the next try after `attemptCount` tries; undefined when the tries are spent. `random` is in [0, 1). */
export function retryWaitMs(attemptCount: number, random: number): number | undefined {
  const wait = RETRY_WAITS_MS[attemptCount - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 - RETRY_JITTER + 2 * RETRY_JITTER * random));
}

/** How soon the platform is asked what became of a lost answer: late enough for it to have settled. */
export const RECONCILE_WAIT_MS = 2_000;
/** How soon it is asked again when the question itself failed. */
export const RECONCILE_AGAIN_MS = 10_000;
/** As long as it was uncertain, but not more seldom than this. */
export const RECONCILE_SELDOM_MS = 600_000;
