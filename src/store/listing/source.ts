import type { FilterClause, FilterType } from '../../core/listing/list-spec.js';
import type { Fragment, Parameters } from './filter.js';
import type { Searched } from './trigrams.js';

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * The time up to which a workspace, `$1`, is counted. Later rows are counted one by one. The whole expression is inside the
 * subquery: under row-level security, an index accepts a value, but no expression that is not leakproof.
 */
export const COUNTED_UNTIL = `(SELECT coalesce(max(counted_until), '-infinity') FROM list_progress WHERE workspace_id = $1::uuid)`;

/** A time range, without its end, in which rows of a page were created. */
export interface Span {
  readonly start: string;
  readonly until: string;
}

/**
 * Conditions that give the positions of the rows of a page in its order. With `newestFirst`, no row of a later condition is newer
 * than a row of an earlier one.
 */
export interface Places {
  /** `gathered`: the condition uses an index with another order, so all its rows are read and sorted. */
  readonly conditions: readonly (Fragment & { readonly gathered?: true })[];
  readonly newestFirst?: true;
}

/** How rows of a list are counted by the hour: the fields that the counts know, each with its column of `insight_counts`. */
export interface HourlyCounts {
  readonly resource: string;
  /** The measures that count each row once. */
  readonly measures: readonly string[];
  readonly columns: Readonly<Record<string, string>>;
  /** All values of a column, where they are known. A row that has none of some values then has one of the others. */
  readonly domains: Readonly<Record<string, readonly string[]>>;
  /** Whether an index has the rows of a clause in the order of created_at, so that their positions are not needed. */
  readonly indexed: (clause: FilterClause) => boolean;
  /** Condition for rows that are counted but not listed. */
  readonly gone: string;
}

/** Values of a field that few rows have. Each value has an index of its rows in the order of created_at. */
export interface LowFrequencyValues {
  readonly field: string;
  readonly values: readonly string[];
  /** The column that holds the value of the field if it is one of these values. */
  readonly column: string;
  /** Values that many rows have. */
  readonly common: readonly string[];
  /** All values of the field. */
  readonly domain: readonly string[];
  /** An indexed condition for the values of neither low nor high frequency. Absent: the counts give the positions of such rows. */
  readonly others?: string;
}

/** A field of a list that needs more than an SQL expression. */
export interface ListField {
  readonly sql: string;
  /** For fields that can be sorted by but not filtered by. Other fields have the type of the spec. */
  readonly type?: FilterType['type'];
  readonly nullable?: boolean;
  /** For array fields: the condition that `$1` (text) is an element. Absent: `sql` is an array column. */
  readonly contains?: string;
  /** A condition that a clause implies in addition to its own, in a form that an index can use. */
  readonly implies?: (clause: FilterClause, parameters: Parameters) => string | undefined;
}

/** Where the records of a list come from. All SQL here is our own. Values are always parameters. */
export interface ListSource {
  /** The text after FROM. */
  readonly table: string;
  /** Expression of the record as json, in its 1.0 shape. */
  readonly record: string | Fragment;
  /** Expression of the workspace; default `workspace_id`. */
  readonly workspace?: string;
  /** The rows are in several workspaces, so the role that sees one workspace does not see them all. */
  readonly severalWorkspaces?: true;
  /** Expression of the tie-breaker, unique in the list; default `id`. */
  readonly id?: string;
  /** Condition that every row of the list meets, such as `deleted_at IS NULL`. */
  readonly where?: string;
  /**
   * The same condition, in a form that is checked row by row and never planned as a join. A page has few rows, whatever the
   * planner expects.
   */
  readonly whereOfRow?: string;
  readonly fields: Readonly<Record<string, string | ListField>>;
  /**
   * Column that holds `updated_at` if it is more than ten minutes after `created_at`, else null. This column and created_at have
   * an index.
   */
  readonly revised?: string;
  /** Counts by the hour of created_at, which give the positions and the number of rows. */
  readonly counts?: HourlyCounts;
  readonly lowFrequency?: LowFrequencyValues;
  /** Present when the batches of the list are indexed by their texts and metadata. */
  readonly searched?: Searched;
  /** The statement for the number of rows that match these clauses, where it is known without counting the rows. */
  readonly total?: (workspaceId: string, filter: readonly FilterClause[]) => Statement | undefined;
}
