import { useEffect, useState } from 'react';
import type { Broadcast } from './queries';

export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Recipients that are not pending. */
  readonly done: number;
}

const WINDOW_MS = 30_000;
/** A chunk of recipients is counted at once, so a shorter time says little. */
const SHORTEST_MS = 5_000;

/** The samples of the last 30 s, with the new one. */
export function withSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const last = samples.at(-1);
  // After a retry fewer recipients are done than before: what was measured until then says nothing.
  if (last !== undefined && next.done < last.done) return [next];
  if (last !== undefined && next.at <= last.at) return samples;
  return [...samples.filter(({ at }) => next.at - at <= WINDOW_MS), next];
}

/** Recipients a minute; undefined until they were measured for 5 s. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < SHORTEST_MS) return undefined;
  return Math.round(((last.done - first.done) * 60_000) / (last.at - first.at));
}

/** How fast a broadcast is being sent, measured while the page is open. */
export function useRate({ counts, status }: Broadcast, readAt: number): number | undefined {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const done = counts.total - counts.pending - counts.skipped;
  useEffect(() => {
    setSamples((all) => (status === 'sending' ? withSample(all, { at: readAt, done }) : []));
  }, [readAt, done, status]);
  return rateOf(samples);
}
