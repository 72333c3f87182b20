/**
 * Waits in milliseconds between attempts after a transient failure that certainly wrote nothing. Four waits allow five
 * attempts.
 */
export const RETRY_WAITS_MS = [10_000, 60_000, 600_000, 2_700_000] as const;

/** Each wait varies by ±10 %, so that deliveries that failed together are not retried together. */
const RETRY_JITTER = 0.1;

/** Wait before the next attempt after `attemptCount` attempts. Undefined if no attempts are left. `random` is in [0, 1). */
export function retryWaitMs(attemptCount: number, random: number): number | undefined {
  const wait = RETRY_WAITS_MS[attemptCount - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 - RETRY_JITTER + 2 * RETRY_JITTER * random));
}

/** Time until the first lookup after a lost response. Most messages exist by then. */
export const RECONCILE_WAIT_MS = 2_000;
/** Minimum time until the next lookup. Later waits are as long as the outcome has been unknown. */
export const RECONCILE_AGAIN_MS = 10_000;
/** Maximum time between two lookups. */
export const RECONCILE_SELDOM_MS = 600_000;
/** Maximum time that an edit waits for a part that an earlier attempt may still create. After that the edit is abandoned. */
export const EDIT_UNCERTAIN_MS = 3_600_000;
