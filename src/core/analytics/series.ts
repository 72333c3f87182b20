import type { Amount } from './ports.js';

type Values = Record<string, number>;
type Measured = Omit<Amount, 'start'>;

interface Bucket {
  readonly start: string;
  readonly group: string | null;
  readonly values: Values;
}

/** Every bucket of every group, including empty ones. Without groups there is one group whose name is null. */
export function seriesOf(
  measures: readonly string[],
  amounts: readonly Amount[],
  buckets: readonly string[],
): Bucket[] {
  const none = noneOf(measures);
  const groups = new Map<string | null, Map<string, Values>>();
  for (const { start, ...amount } of amounts) {
    const cells = found(groups, amount.group, () => new Map<string, Values>());
    add(
      found(cells, start, () => ({ ...none })),
      amount,
    );
  }
  if (groups.size === 0) groups.set(null, new Map());
  const sorted = [...groups].sort(([a], [b]) => nullLast(a, b));
  return buckets.flatMap((start) =>
    sorted.map(([group, cells]) => ({ start, group, values: cells.get(start) ?? { ...none } })),
  );
}

/** The sums over all buckets and groups. */
export function totalsOf(measures: readonly string[], amounts: readonly Measured[]): Values {
  const totals = noneOf(measures);
  for (const amount of amounts) add(totals, amount);
  return totals;
}

const noneOf = (measures: readonly string[]): Values => Object.fromEntries(measures.map((name) => [name, 0]));

function add(values: Values, { measure, amount }: Measured): void {
  const before = values[measure];
  if (before !== undefined) values[measure] = before + amount;
}

function found<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function nullLast(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : 1;
}
