import type { Log } from '../core/common/log.js';

const QUIET_MS = 10_000;

/**
 * A listener for repeated errors. It logs one line per message and interval.
 *
 * While a server is unavailable, each worker reports the same error at each attempt.
 */
export function throttledErrors(log: Log, event: string): (error: Error) => void {
  const loggedAt = new Map<string, number>();
  return (error) => {
    const now = Date.now();
    if (now - (loggedAt.get(error.message) ?? 0) < QUIET_MS) return;
    // Messages can contain ids, so only a few are remembered.
    if (loggedAt.size > 50) loggedAt.clear();
    loggedAt.set(error.message, now);
    log.warn({ err: error }, event);
  };
}
