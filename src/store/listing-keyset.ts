import type { FilterType, ListKey } from '../core/listing/list-spec.js';
import { type Parameters, sqlTypes } from './listing-filter.js';

/** One side of a place in a list. */
export interface KeysetSide {
  readonly sort: { readonly sql: string; readonly type: FilterType['type']; readonly nullable?: boolean };
  readonly id: string;
  readonly key: ListKey;
  /** Whether the wanted rows have smaller keys. */
  readonly descending: boolean;
  /** Whether the row of the key belongs to them. */
  readonly inclusive: boolean;
}

/** The condition that a row lies on this side of the key. True or false, never null. */
export function keysetSql(
  { sort, id, key, descending, inclusive }: KeysetSide,
  parameters: Parameters,
): string {
  const sign = descending ? '<' : '>';
  const orSame = inclusive ? `${sign}=` : sign;
  const [value, lastId] = key;
  // The text is compared in the type of the column: the driver must not choose one.
  const wantedId = parameters.value(lastId);
  if (value === null) {
    const same = `(${sort.sql} IS NULL AND ${id} ${orSame} ${wantedId})`;
    return descending ? `(${sort.sql} IS NOT NULL OR ${same})` : same;
  }
  const wanted = `${parameters.value(value)}::${sqlTypes[sort.type]}`;
  const ahead = `(${sort.sql}, ${id}) ${orSame} (${wanted}, ${wantedId})`;
  if (sort.nullable !== true) return ahead;
  // Null counts as larger than every value.
  return descending ? `coalesce(${ahead}, false)` : `(${sort.sql} IS NULL OR ${ahead})`;
}
