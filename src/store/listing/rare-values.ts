import type { FilterClause, ListQuery } from '../../core/listing/list-spec.js';
import { type Fragment, PROMPT } from './filter.js';
import type { Places, RareValues } from './source.js';

/** How a page finds the rows of a clause that asks for rare values and for no common value. */
export interface RarePage extends Places {
  /** The query for the values without an index. The hourly counts give the positions of their rows. Absent: no such values. */
  readonly counted?: ListQuery;
}

/** Undefined when the list is read another way: in another order, by page number, or for values that many rows have. */
export function rarePage(query: ListQuery, rare: RareValues | undefined): RarePage | undefined {
  if (rare === undefined || query.sort !== 'created_at' || query.at.mode === 'offset') return undefined;
  const clause = query.filter.find((one) => one.field === rare.field && wantedOf(one, rare).length > 1);
  if (clause === undefined) return undefined;
  const wanted = wantedOf(clause, rare);
  const own = wanted.filter((value) => rare.values.includes(value));
  const others = wanted.filter((value) => !rare.values.includes(value));
  if (own.length === 0 || others.some((value) => rare.common.includes(value))) return undefined;
  const conditions = own.map((value): Fragment => ({ sql: `${rare.column} = $1`, values: [value] }));
  if (others.length === 0) return { conditions };
  if (rare.others !== undefined) return { conditions: [...conditions, { sql: rare.others }] };
  return { conditions, counted: { ...query, filter: replaced(query, clause, others) } };
}

/**
 * The positions, in the order of created_at, of the rows that changed since a given time: rows created since then or shortly
 * before, and older rows that were not changed promptly.
 */
export function changedPlaces(query: ListQuery, revised: string | undefined): Places | undefined {
  if (revised === undefined || query.sort !== 'created_at' || query.at.mode === 'offset') return undefined;
  const since = query.filter.flatMap(({ field, negated, values: [first, ...more] }) =>
    field === 'updated_at' && !negated && more.length === 0 && first?.operator.startsWith('gt')
      ? [first.value]
      : [],
  );
  if (since.length === 0) return undefined;
  const begin = `$1::timestamptz - ${PROMPT}`;
  const values = since.slice(0, 1);
  const prompt = { sql: `created_at >= ${begin}`, values };
  const late = {
    sql: `${revised} >= $1::timestamptz AND created_at < ${begin}`,
    values,
    gathered: true as const,
  };
  return { conditions: [prompt, late], newestFirst: true };
}

/** The values of the domain that a clause matches. */
function wantedOf({ negated, values }: FilterClause, { domain }: RareValues): string[] {
  return domain.filter((one) => values.some(({ value }) => value === one) !== negated);
}

function replaced(query: ListQuery, clause: FilterClause, wanted: readonly string[]): FilterClause[] {
  const values = wanted.map((value) => ({ operator: 'eq' as const, value }));
  return query.filter.map((one) => (one === clause ? { field: one.field, negated: false, values } : one));
}
