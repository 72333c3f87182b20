import type { FilterType, ListKey } from '../../core/listing/list-spec.js';
import { type Parameters, sqlTypes } from './filter.js';

/** One side of a position in a list. */
export interface KeysetSide {
  readonly sort: { readonly sql: string; readonly type: FilterType['type']; readonly nullable?: boolean };
  readonly id: string;
  readonly key: ListKey;
  /** Whether the wanted rows have smaller keys. */
  readonly descending: boolean;
  /** Whether the row of the key is included. */
  readonly inclusive: boolean;
}

/**
 * Conditions for the rows on this side of the key. `empty` selects rows without a value, which sorts after every value. `valued`
 * selects rows with a value. Each condition is one range of an index in this order. A condition is absent when this side has no
 * such rows.
 */
export interface KeysetParts {
  readonly empty?: string;
  readonly valued?: string;
}

export function keysetParts(
  { sort, id, key, descending, inclusive }: KeysetSide,
  parameters: Parameters,
): KeysetParts {
  const sign = descending ? '<' : '>';
  const orSame = inclusive ? `${sign}=` : sign;
  const [value, lastId] = key;
  const isNull = `${sort.sql} IS NULL`;
  const isValued = `${sort.sql} IS NOT NULL`;
  // The id has no cast, so that PostgreSQL compares it in the type of the column.
  const wantedId = parameters.value(lastId);
  if (value === null) {
    const empty = `(${isNull} AND ${id} ${orSame} ${wantedId})`;
    return descending ? { empty, valued: isValued } : { empty };
  }
  const wanted = `${parameters.value(value)}::${sqlTypes[sort.type]}`;
  const ahead = `(${sort.sql}, ${id}) ${orSame} (${wanted}, ${wantedId})`;
  if (sort.nullable !== true) return { valued: ahead };
  const valued = `(${isValued} AND ${ahead})`;
  return descending ? { valued } : { empty: isNull, valued };
}

/** The condition that a row is on this side of the key. It is true or false, never null. */
export function keysetSql(side: KeysetSide, parameters: Parameters): string {
  const { empty, valued } = keysetParts(side, parameters);
  if (empty === undefined || valued === undefined) return empty ?? valued ?? 'false';
  return `(${empty} OR ${valued})`;
}
