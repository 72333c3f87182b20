/** The fields by which a list can be sorted and filtered. Each record has one spec, next to its schema. */

export type FilterType =
  | { readonly type: 'enum'; readonly nullable?: boolean }
  | { readonly type: 'uuid'; readonly nullable?: boolean }
  | { readonly type: 'bool'; readonly nullable?: boolean }
  | { readonly type: 'int' | 'number' | 'timestamp'; readonly nullable?: boolean }
  | { readonly type: 'string'; readonly nullable?: boolean; readonly form?: Form }
  | { readonly type: 'array'; readonly of?: 'uuid'; readonly form?: Form };

/** Converts a text to the form in which a field stores it. Elements of an array may also be stored without conversion. */
type Form = (text: string) => string;

export interface ListSpec {
  /** Fields that `sort` accepts; the first is the default. */
  readonly sort: readonly string[];
  readonly filter: Readonly<Record<string, FilterType>>;
  /** Whether `metadata.<key>` can be filtered by. */
  readonly metadata?: boolean;
}

export type FilterOperator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'null';

export interface FilterValue {
  readonly operator: FilterOperator;
  /** Absent for `null`. Timestamps are ISO 8601 UTC. */
  readonly value?: string;
}

/** One clause. The field matches any of the values, or none of them if the clause is negated. */
export interface FilterClause {
  readonly field: string;
  readonly negated: boolean;
  readonly values: readonly FilterValue[];
}

/** The position of a row in a list: its sort value as text and its id. In ascending order, null comes after every value. */
export type ListKey = readonly [string | null, string];

/** A parsed list request. Cursors are already verified and decoded. */
export interface ListQuery {
  readonly filter: readonly FilterClause[];
  readonly sort: string;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Where to read: a page by offset, or the rows after or before a key. */
  readonly at:
    | { readonly mode: 'offset'; readonly page: number }
    | { readonly mode: 'first' }
    | {
        readonly mode: 'after' | 'before';
        readonly key: ListKey;
        /** The page includes the row of the key. This is the way back from a page that became empty. */
        readonly inclusive: boolean;
      };
  /** Whether the exact total is needed. */
  readonly count: boolean;
}

export interface ListPage<Record> {
  readonly items: readonly Record[];
  /** Sort value and id of the first and last item, for cursors. */
  readonly firstKey: ListKey | null;
  readonly lastKey: ListKey | null;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  /** Null unless `count` was requested. */
  readonly total: number | null;
}

/** The spec of an ordinary record: its id, its times and the given fields. */
export function recordList(spec: {
  readonly sort?: readonly string[];
  readonly filter?: Readonly<Record<string, FilterType>>;
  readonly metadata?: boolean;
}): ListSpec {
  return {
    sort: ['created_at', 'updated_at', ...(spec.sort ?? [])],
    filter: {
      id: { type: 'uuid' },
      created_at: { type: 'timestamp' },
      updated_at: { type: 'timestamp' },
      ...spec.filter,
    },
    metadata: spec.metadata ?? false,
  };
}
