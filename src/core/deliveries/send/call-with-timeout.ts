import { PlatformError } from '../../../contract/index.js';

/** One call may take this long before it counts as lost: it began while its lease was young, and ends before that does. */
export const STEP_LIMIT_MS = 20_000;
/** The time in which an adapter must end an aborted call and report its outcome. */
export const GRACE_MS = 500;

/**
 * Makes a call of an adapter and aborts it with `signal`, or after `limitMs`. One that goes on all the same is left to itself:
 * its outcome is unknown.
 */
export async function callWithTimeout<Answer>(
  call: (signal: AbortSignal) => Promise<Answer>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<Answer> {
  // By hand, since AbortSignal.any and AbortSignal.timeout cost more than all the rest of a write.
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => undefined;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const stop = (reason: unknown) => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(unheard(reason)), GRACE_MS);
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

function unheard(cause: unknown): PlatformError {
  return new PlatformError(
    { kind: 'unavailable', cause: 'network' },
    { dispatched: 'unknown', message: 'The adapter did not answer in time.', cause },
  );
}
