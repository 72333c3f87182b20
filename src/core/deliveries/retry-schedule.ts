/** Waits between tries after a transient failure that certainly wrote nothing, in ms. Four waits: five tries. */
export const RETRY_WAITS_MS = [10_000, 60_000, 600_000, 2_700_000] as const;

/** Every wait is spread by ±10 %, so that failures of one moment don't come back in one moment. */
const RETRY_JITTER = 0.1;

/** Wait before the next try after `attemptCount` tries; undefined when the tries are spent. `random` is in [0, 1). */
export function retryWaitMs(attemptCount: number, random: number): number | undefined {
  const wait = RETRY_WAITS_MS[attemptCount - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 - RETRY_JITTER + 2 * RETRY_JITTER * random));
}

/** How soon the platform is asked what became of a lost answer. Most messages are there by then. */
export const RECONCILE_WAIT_MS = 2_000;
/** How soon the platform is asked again at the earliest. Later waits are as long as the outcome has been unknown. */
export const RECONCILE_AGAIN_MS = 10_000;
/** The longest wait between two questions. */
export const RECONCILE_SELDOM_MS = 600_000;
/** How long an edit waits for a part that an earlier try of it may still create. After that the edit is given up. */
export const EDIT_DOUBT_MS = 3_600_000;
