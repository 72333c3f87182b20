import type { TrunklineError } from './error.js';

const FIRST_WAIT_MS = 250;
const MAX_BACKOFF_MS = 8_000;
/** Who is asked to wait for longer, such as for the next hour of a rate limit, tells the caller instead. */
const MAX_WAIT_SECONDS = 60;

const PASSING = new Set([0, 408, 429, 500, 502, 503, 504]);

/**
 * Milliseconds to wait before the next try, or undefined where another one is of no use.
 *
 * Every request may be sent again: what is no GET either says what shall be, or carries an Idempotency-Key.
 */
export function waitBeforeRetry(
  error: TrunklineError,
  tried: number,
  random = Math.random,
): number | undefined {
  if (!isPassing(error)) return undefined;
  const { retryAfter = 0 } = error;
  if (retryAfter > MAX_WAIT_SECONDS) return undefined;
  return retryAfter * 1000 + backoff(tried, random);
}

/** Doubles with each try, and half of it is chance, so that many clients don't come back together. */
export function backoff(tried: number, random = Math.random): number {
  const full = Math.min(MAX_BACKOFF_MS, FIRST_WAIT_MS * 2 ** tried);
  return full * (0.5 + random() / 2);
}

function isPassing({ status, reason }: TrunklineError): boolean {
  // The first try, whose answer was lost, is still being done.
  if (reason === 'idempotency_in_progress') return true;
  return PASSING.has(status) && reason !== 'no_provider';
}

/** Resolves after the time; an abort throws the signal's reason. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
