import { useEffect, useState } from 'react';
import type { Broadcast } from './queries';

export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Number of recipients that are no longer pending. */
  readonly done: number;
}

const WINDOW_MS = 30_000;
/** Recipients are counted in chunks, so a shorter measurement is inaccurate. */
const SHORTEST_MS = 5_000;

/** The samples of the last 30 s, including the new one. */
export function withSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const last = samples.at(-1);
  // A retry reduces the number of completed recipients, so earlier samples are discarded.
  if (last !== undefined && next.done < last.done) return [next];
  if (last !== undefined && next.at <= last.at) return samples;
  return [...samples.filter(({ at }) => next.at - at <= WINDOW_MS), next];
}

/** Recipients per minute. Undefined until the measurement covers 5 s. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < SHORTEST_MS) return undefined;
  return Math.round(((last.done - first.done) * 60_000) / (last.at - first.at));
}

/** The send rate of a broadcast, measured while the page is open. */
export function useRate({ counts, status }: Broadcast, readAt: number): number | undefined {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const done = counts.total - counts.pending - counts.skipped;
  useEffect(() => {
    setSamples((all) => (status === 'sending' ? withSample(all, { at: readAt, done }) : []));
  }, [readAt, done, status]);
  return rateOf(samples);
}
