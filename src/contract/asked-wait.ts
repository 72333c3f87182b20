const MIN_MS = 1_000;
const MAX_MS = 86_400_000;

/**
 * The wait that a platform requests, in milliseconds: at most one day. An invalid or negative value counts as one
 * second.
 */
export function askedWaitMs(retryAfterMs: number): number {
  if (!Number.isFinite(retryAfterMs) || retryAfterMs <= 0) return MIN_MS;
  return Math.min(retryAfterMs, MAX_MS);
}
