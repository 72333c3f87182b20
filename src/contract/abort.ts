/** A signal that follows other signals until it is released. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Removes the listeners from the other signals, some of which may live as long as the process. */
  release(): void;
}

/**
 * A signal that is aborted with the first of `signals`, with the same reason. It replaces AbortSignal.any: in Node 20, a
 * combination with AbortSignal.timeout loses the timeout at the next garbage collection, because a request holds no
 * reference to it.
 */
export function linkedSignal(...signals: readonly (AbortSignal | null | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const releases: (() => void)[] = [];
  for (const signal of signals) {
    if (signal?.aborted) controller.abort(signal.reason);
    else if (signal) releases.push(follow(signal, controller));
  }
  return {
    signal: controller.signal,
    release: () => {
      for (const release of releases) release();
    },
  };
}

function follow(signal: AbortSignal, controller: AbortController): () => void {
  const stop = () => controller.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  return () => signal.removeEventListener('abort', stop);
}
