import type { AmountSeries, Amounts } from '../../core/analytics/ports.js';

/** The result of the database functions that read analytics. */
export interface InsightSeries {
  /** The starts of two buckets. The second is null where there is only one. */
  readonly pairs: readonly (readonly (string | null)[])[];
  readonly series: readonly SeriesRow[];
}

/** Parts of the amounts of one measure and group. A bucket can have several parts. */
interface SeriesRow {
  readonly group: string | null;
  readonly measure: string;
  /** Indexes of `pairs`. */
  readonly places: readonly number[];
  /** The part of the first bucket at each place. */
  readonly amounts: readonly number[];
  /** The part of the second bucket at each place. */
  readonly next_amounts: readonly (number | null)[];
}

/** Adds up the parts of each bucket. Leaves out series without an amount. */
export function addUpSeries({ pairs, series }: InsightSeries): Amounts {
  const starts = [...new Set(pairs.flat())].filter((start) => start !== null);
  const indexes = new Map(starts.map((start, index) => [start, index]));
  const places = pairs.map((pair) => pair.map((start) => (start === null ? -1 : (indexes.get(start) ?? -1))));
  const found = series.map(({ group, measure, ...parts }): AmountSeries => {
    const sums = starts.map(() => 0);
    parts.places.forEach((place, n) => {
      const [first = -1, second = -1] = places[place] ?? [];
      sums[first] = (sums[first] ?? 0) + (parts.amounts[n] ?? 0);
      if (second >= 0) sums[second] = (sums[second] ?? 0) + (parts.next_amounts[n] ?? 0);
    });
    // What lies outside the period can exceed what was counted, because the status of an old conversation is not counted again.
    return { group, measure, amounts: sums.map((sum) => Math.max(0, sum)) };
  });
  return { starts, series: found.filter(({ amounts }) => amounts.some((amount) => amount > 0)) };
}
