const SHORTEST_MS = 1_000;
const MAX_MS = 86_400_000;

/** The wait a platform asks for; where it makes no sense, a second, and never more than a day at once. */
export function askedWaitMs(retryAfterMs: number): number {
  if (!Number.isFinite(retryAfterMs) || retryAfterMs <= 0) return SHORTEST_MS;
  return Math.min(retryAfterMs, MAX_MS);
}
