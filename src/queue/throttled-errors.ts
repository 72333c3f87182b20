import type { Log } from '../core/common/log.js';

const QUIET_MS = 10_000;

/**
 * A listener for errors that come in swarms: one line per message and quiet time.
 *
 * While a server is away, each worker reports the same error at each try.
 */
export function throttledErrors(log: Log, event: string): (error: Error) => void {
  const saidAt = new Map<string, number>();
  return (error) => {
    const now = Date.now();
    if (now - (saidAt.get(error.message) ?? 0) < QUIET_MS) return;
    // Messages can hold ids, so the memory of them is kept small.
    if (saidAt.size > 50) saidAt.clear();
    saidAt.set(error.message, now);
    log.warn({ err: error }, event);
  };
}
