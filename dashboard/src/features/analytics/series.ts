import type { AnalyticsGroup, AnalyticsResource, LocalAnalytics } from '../../api/analytics-paths.js';

/** A displayed number: a sum, or a mean, which is the sum divided by another sum. */
export interface Measure {
  readonly key: string;
  /** The key of the divisor of a mean. Absent for a sum. */
  readonly over?: string;
  readonly unit: 'count' | 'seconds';
}

const counts = (...keys: string[]): Measure[] => keys.map((key) => ({ key, unit: 'count' }));

/** The measures of each resource, in display order. Each inner list is one plot. */
export const MEASURES: Readonly<Record<AnalyticsResource, readonly (readonly Measure[])[]>> = {
  messages: [counts('inbound', 'outbound', 'internal', 'failed')],
  conversations: [
    counts('created', 'resolved', 'responded', 'closed'),
    [
      { key: 'response_seconds', over: 'responded', unit: 'seconds' },
      { key: 'resolution_seconds', over: 'closed', unit: 'seconds' },
    ],
  ],
  calls: [
    counts('started', 'answered', 'failed'),
    [{ key: 'duration_seconds', over: 'answered', unit: 'seconds' }],
  ],
  broadcasts: [counts('started'), counts('recipients', 'sent', 'delivered', 'read', 'failed')],
  webhooks: [counts('attempts', 'succeeded', 'failed')],
};

export const GROUPS: Readonly<Record<AnalyticsResource, readonly AnalyticsGroup[]>> = {
  messages: ['platform', 'status', 'agent'],
  conversations: ['platform', 'status', 'agent'],
  calls: ['platform', 'status', 'agent'],
  broadcasts: ['platform', 'status', 'agent'],
  webhooks: ['status'],
};

/** More lines are hard to distinguish. */
const MAX_LINES = 8;
/** All groups beyond the maximum number of lines, combined. */
export const REST = Symbol('rest');

export interface Line {
  readonly measure: Measure;
  /** Undefined without groups. Null means records without a group. */
  readonly group: string | null | typeof REST | undefined;
}

/** The numbers that both the plot and its table show. */
export interface Grid {
  readonly lines: readonly Line[];
  readonly rows: readonly { readonly start: string; readonly cells: readonly Cell[] }[];
  readonly totals: readonly Cell[];
}

/** Null if the divisor is 0, because the mean is undefined then. */
type Cell = number | null;

interface Sum {
  amount: number;
  over: number;
}

/** The values of the measures. There is one line per measure, or one line per group of a single measure. */
export function gridOf(found: LocalAnalytics, measures: readonly Measure[]): Grid {
  const lines = found.group_by === null ? measures.map(ungrouped) : groupLines(found, measures[0]);
  const starts = [...new Set(found.series.map(({ start }) => start))];
  const groups = new Set(lines.map(({ group }) => group));
  const sums = new Map(starts.map((start) => [start, lines.map(nothing)]));
  const totals = lines.map(nothing);
  for (const { start, group, values } of found.series) {
    const row = sums.get(start);
    const own = found.group_by === null ? undefined : groups.has(group) ? group : REST;
    for (const [index, { measure, group: wanted }] of lines.entries()) {
      if (own !== wanted) continue;
      for (const sum of [row?.[index], totals[index]]) add(sum, values, measure);
    }
  }
  const cells = (row: readonly Sum[]) => row.map((sum, index) => cellOf(sum, lines[index]?.measure));
  return {
    lines,
    rows: [...sums].map(([start, row]) => ({ start, cells: cells(row) })),
    totals: cells(totals),
  };
}

const ungrouped = (measure: Measure): Line => ({ measure, group: undefined });
const nothing = (): Sum => ({ amount: 0, over: 0 });

function add(sum: Sum | undefined, values: Readonly<Record<string, number>>, { key, over }: Measure): void {
  if (sum === undefined) return;
  sum.amount += values[key] ?? 0;
  if (over !== undefined) sum.over += values[over] ?? 0;
}

function cellOf({ amount, over }: Sum, measure: Measure | undefined): Cell {
  if (measure?.over === undefined) return amount;
  return over === 0 ? null : amount / over;
}

/** The largest groups, and one line for all others. */
function groupLines({ series }: LocalAnalytics, measure: Measure | undefined): Line[] {
  if (measure === undefined) return [];
  const sizes = new Map<string | null, number>();
  for (const { group, values } of series) {
    sizes.set(group, (sizes.get(group) ?? 0) + (values[measure.over ?? measure.key] ?? 0));
  }
  const filled = [...sizes].filter(([, size]) => size > 0).sort(([, a], [, b]) => b - a);
  const shown = filled.slice(0, filled.length > MAX_LINES ? MAX_LINES - 1 : MAX_LINES);
  const lines: Line[] = shown.map(([group]) => ({ measure, group }));
  return filled.length > shown.length ? [...lines, { measure, group: REST }] : lines;
}
