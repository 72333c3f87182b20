import { PlatformError } from '../../../contract/index.js';

/** Time limit of one call. It begins while its lease is fresh, and ends before the lease does. */
export const STEP_LIMIT_MS = 20_000;
/** Time in which an adapter must end an aborted call and report its outcome. */
export const GRACE_MS = 500;

/**
 * Calls an adapter and aborts the call by `signal` or after `limitMs`. A call that ignores the abort is abandoned: its
 * outcome is unknown.
 */
export async function callWithTimeout<Answer>(
  call: (signal: AbortSignal) => Promise<Answer>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<Answer> {
  // AbortSignal.any and AbortSignal.timeout are not used, because they cost more than the rest of a write.
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => undefined;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const stop = (reason: unknown) => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(timedOut(reason)), GRACE_MS);
        limit.abort(reason);
      };
      onAbort = () => stop(signal?.reason);
      timer = setTimeout(() => stop(new DOMException('The call took too long.', 'TimeoutError')), limitMs);
      if (signal?.aborted) onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
      call(limit.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function timedOut(cause: unknown): PlatformError {
  return new PlatformError(
    { kind: 'unavailable', cause: 'network' },
    { dispatched: 'unknown', message: 'The adapter did not answer in time.', cause },
  );
}
