import type { TrunklineError } from './error.js';

const FIRST_WAIT_MS = 250;
const MAX_BACKOFF_MS = 8_000;
/** A longer requested wait, such as until the next hour of a rate limit, is returned to the caller as an error. */
const MAX_WAIT_SECONDS = 60;

const TRANSIENT = new Set([0, 408, 429, 500, 502, 503, 504]);

/**
 * Milliseconds to wait before the next attempt, or undefined if a retry cannot help.
 *
 * Every request can be repeated safely: a request other than GET is either idempotent or has an Idempotency-Key.
 */
export function waitBeforeRetry(
  error: TrunklineError,
  tried: number,
  random = Math.random,
): number | undefined {
  if (!isTransient(error)) return undefined;
  const { retryAfter = 0 } = error;
  if (retryAfter > MAX_WAIT_SECONDS) return undefined;
  return retryAfter * 1000 + backoff(tried, random);
}

/** Exponential backoff. Half of the time is random, so that many clients do not retry at the same time. */
export function backoff(tried: number, random = Math.random): number {
  const full = Math.min(MAX_BACKOFF_MS, FIRST_WAIT_MS * 2 ** tried);
  return full * (0.5 + random() / 2);
}

function isTransient({ status, reason }: TrunklineError): boolean {
  // The first attempt, whose response was lost, is still in progress.
  if (reason === 'idempotency_in_progress') return true;
  return TRANSIENT.has(status) && reason !== 'no_provider';
}

/** Resolves after the time. An abort rejects with the signal's reason. */
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
