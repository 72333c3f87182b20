import { useEffect, useState } from 'react';
import type { Broadcast } from './queries';

interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Number of recipients that are no longer pending. */
  readonly done: number;
}

/** The pace of a broadcast since the page was opened. The figures are missing until it is measured. */
export interface Pace {
  readonly samples: readonly Sample[];
  /** Recipients per minute. */
  readonly rate?: number;
  /** Expected end in milliseconds since 1970. */
  readonly end?: number;
}

const WINDOW_MS = 60_000;
/** The first chunk is sent at once, and later ones wait for the limits of the platform. */
const WARM_UP_MS = 20_000;
const UNMEASURED: Pace = { samples: [] };

/** The pace after one more reading of the counts. */
export function measured(before: Pace, next: Sample, pending: number): Pace {
  const last = before.samples.at(-1);
  // A retry reduces the number of completed recipients, so earlier samples are discarded.
  if (last !== undefined && next.done < last.done) return { samples: [next] };
  if (last !== undefined && next.at <= last.at) return before;
  const samples = [...before.samples.filter(({ at }) => next.at - at <= WINDOW_MS), next];
  const exact = slopeOf(samples);
  if (exact === undefined) return { samples };
  const rate = steady(before.rate, Number(exact.toPrecision(2)), exact / 10);
  if (exact <= 0) return { samples, rate };
  const left = (pending * 60_000) / exact;
  return { samples, rate, end: steady(before.end, next.at + left, Math.max(30_000, left / 10)) };
}

/** A shown figure stays until it is wrong by more than the tolerance. */
const steady = (shown: number | undefined, now: number, tolerance: number): number =>
  shown !== undefined && Math.abs(now - shown) <= tolerance ? shown : now;

/** Recipients per minute, by the line of least squares. Recipients are counted in chunks, which move its ends but not its slope. */
function slopeOf(samples: readonly Sample[]): number | undefined {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < WARM_UP_MS) return undefined;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanAt = mean(samples.map(({ at }) => at));
  const meanDone = mean(samples.map(({ done }) => done));
  const spread = mean(samples.map(({ at }) => (at - meanAt) ** 2));
  const shared = mean(samples.map(({ at, done }) => (at - meanAt) * (done - meanDone)));
  return Math.max(0, (shared * 60_000) / spread);
}

/** When a broadcast is expected to end: not before the end that its throttle and its local times allow. */
export function endOf({ eta }: Pick<Broadcast, 'eta'>, { end }: Pace): string | undefined {
  const planned = eta === null ? undefined : Date.parse(eta);
  const known = [planned, end].filter((each) => each !== undefined);
  return known.length === 0 ? undefined : new Date(Math.max(...known)).toISOString();
}

/** The pace of a broadcast, measured while the page is open. */
export function usePace({ counts, status }: Broadcast, readAt: number): Pace {
  const [pace, setPace] = useState(UNMEASURED);
  const { pending } = counts;
  const done = counts.total - pending - counts.skipped;
  useEffect(() => {
    setPace((before) =>
      status === 'sending' ? measured(before, { at: readAt, done }, pending) : UNMEASURED,
    );
  }, [readAt, done, pending, status]);
  return pace;
}
