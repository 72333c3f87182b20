import type { FilterType, ListKey } from '../../core/listing/list-spec.js';
import { type Parameters, sqlTypes } from './filter.js';

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

/**
 * Where the rows on this side of the key are: without a value, which counts as larger than every value, and with one. Each of the
 * conditions is a stretch of an index of the order; absent: there is none on this side.
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
  // The text is compared in the type of the column: the driver must not choose one.
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

/** The condition that a row lies on this side of the key. True or false, never null. */
export function keysetSql(side: KeysetSide, parameters: Parameters): string {
  const { empty, valued } = keysetParts(side, parameters);
  if (empty === undefined || valued === undefined) return empty ?? valued ?? 'false';
  return `(${empty} OR ${valued})`;
}
