import type { AmountSeries, Amounts } from './ports.js';

type Values = Record<string, number>;

interface Bucket {
  readonly start: string;
  readonly group: string | null;
  readonly values: Values;
}

/** Every bucket of every group, including empty ones. Without groups there is one group whose name is null. */
export function seriesOf(
  measures: readonly string[],
  { starts, series }: Amounts,
  buckets: readonly string[],
): Bucket[] {
  const none = noneOf(measures);
  const indexes = new Map(starts.map((start, index) => [start, index]));
  const groups = groupsOf(series.filter(({ measure }) => measure in none));
  return buckets.flatMap((start) => {
    const index = indexes.get(start) ?? -1;
    return groups.map(([group, own]) => {
      const values = { ...none };
      for (const { measure, amounts } of own) values[measure] = amounts[index] ?? 0;
      return { start, group, values };
    });
  });
}

/** The sums over all buckets and groups. */
export function totalsOf(measures: readonly string[], { series }: Amounts): Values {
  const totals = noneOf(measures);
  for (const { measure, amounts } of series) {
    const before = totals[measure];
    if (before !== undefined) totals[measure] = amounts.reduce((sum, amount) => sum + amount, before);
  }
  return totals;
}

/** The series of each group, sorted by group. */
function groupsOf(series: readonly AmountSeries[]): [string | null, AmountSeries[]][] {
  const groups = new Map<string | null, AmountSeries[]>();
  for (const one of series) {
    const known = groups.get(one.group);
    if (known === undefined) groups.set(one.group, [one]);
    else known.push(one);
  }
  if (groups.size === 0) groups.set(null, []);
  return [...groups].sort(([a], [b]) => nullLast(a, b));
}

const noneOf = (measures: readonly string[]): Values => Object.fromEntries(measures.map((name) => [name, 0]));

function nullLast(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : 1;
}
