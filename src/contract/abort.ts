/** A signal that is aborted with others, until it is let go of. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Takes its listeners away from the others, some of which may last as long as the process. */
  release(): void;
}

/**
 * A signal that is aborted with the first of `signals`, with its reason. Where AbortSignal.any is used with AbortSignal.timeout,
 * Node 20 forgets the timeout at the next garbage collection, for a request does not hold it: such a limit never ends anything.
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
