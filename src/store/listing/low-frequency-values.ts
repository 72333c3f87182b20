import type { FilterClause, ListQuery } from '../../core/listing/list-spec.js';
import { type Fragment, PROMPT } from './filter.js';
import type { LowFrequencyValues, Places } from './source.js';

/** How a page finds the rows of a clause that asks for values of low frequency and for no common value. */
export interface LowFrequencyPage extends Places {
  /** The query for the values without an index. The hourly counts give the positions of their rows. Absent: no such values. */
  readonly counted?: ListQuery;
}

/** Undefined when the list is read another way: in another order, by page number, or for values that many rows have. */
export function lowFrequencyPage(
  query: ListQuery,
  lowFrequency: LowFrequencyValues | undefined,
): LowFrequencyPage | undefined {
  if (lowFrequency === undefined || query.sort !== 'created_at' || query.at.mode === 'offset')
    return undefined;
  const clause = query.filter.find(
    (one) => one.field === lowFrequency.field && wantedOf(one, lowFrequency).length > 1,
  );
  if (clause === undefined) return undefined;
  const wanted = wantedOf(clause, lowFrequency);
  const own = wanted.filter((value) => lowFrequency.values.includes(value));
  const others = wanted.filter((value) => !lowFrequency.values.includes(value));
  if (own.length === 0 || others.some((value) => lowFrequency.common.includes(value))) return undefined;
  const conditions = own.map((value): Fragment => ({ sql: `${lowFrequency.column} = $1`, values: [value] }));
  if (others.length === 0) return { conditions };
  if (lowFrequency.others !== undefined) return { conditions: [...conditions, { sql: lowFrequency.others }] };
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
function wantedOf({ negated, values }: FilterClause, { domain }: LowFrequencyValues): string[] {
  return domain.filter((one) => values.some(({ value }) => value === one) !== negated);
}

function replaced(query: ListQuery, clause: FilterClause, wanted: readonly string[]): FilterClause[] {
  const values = wanted.map((value) => ({ operator: 'eq' as const, value }));
  return query.filter.map((one) => (one === clause ? { field: one.field, negated: false, values } : one));
}
