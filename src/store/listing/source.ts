import type { FilterClause, FilterType } from '../../core/listing/list-spec.js';
import type { Fragment, Parameters } from './filter.js';
import type { Searched } from './trigrams.js';

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Where the counts end that are kept of a workspace, `$1`: what came later is counted row by row. All of it is within the
 * brackets: an index takes a value, and no expression that the second wall does not trust.
 */
export const COUNTED_UNTIL = `(SELECT coalesce(max(counted_until), '-infinity') FROM list_progress WHERE workspace_id = $1::uuid)`;

/** A time, its end excluded, in which rows of a page were made. */
export interface Span {
  readonly start: string;
  readonly until: string;
}

/** Conditions that say where the rows of a page are in its order. `newestFirst`: none of a later one is newer than one of an earlier. */
export interface Places {
  /** `gathered`: by an index that has another order, so all of it is read and put in order. */
  readonly conditions: readonly (Fragment & { readonly gathered?: true })[];
  readonly newestFirst?: true;
}

/** How rows of a list are counted by the hour: fields that the counts know, and the column of `insight_counts` with each. */
export interface HourlyCounts {
  readonly resource: string;
  /** The measures that count each row once. */
  readonly measures: readonly string[];
  readonly columns: Readonly<Record<string, string>>;
  /** All values that a column can have, where they are known: what is not one of some is then one of the others. */
  readonly domains: Readonly<Record<string, readonly string[]>>;
  /** Whether an index has the rows of a clause in the order of a list by created_at, so that their place need not be given. */
  readonly indexed: (clause: FilterClause) => boolean;
  /** Rows that are counted and not listed. */
  readonly gone: string;
}

/** Values of a field that few rows have, each with an index of these rows in the order of created_at. */
export interface RareValues {
  readonly field: string;
  readonly values: readonly string[];
  /** The column that is the field where it has one of them. */
  readonly column: string;
  /** Values that many rows have. */
  readonly common: readonly string[];
  /** All values. */
  readonly domain: readonly string[];
  /** A condition, with an index, for the values that are neither rare nor common. Absent: the counts know where such rows are. */
  readonly others?: string;
}

/** A field of a list where its expression does not say everything. */
export interface ListField {
  readonly sql: string;
  /** For fields that are sorted by but not filtered by; others have the type of the spec. */
  readonly type?: FilterType['type'];
  readonly nullable?: boolean;
  /** For array fields: the condition that `$1` (text) is an element. Absent: `sql` is an array column. */
  readonly contains?: string;
  /** Conditions that a clause implies in addition to its own, in the form of an index. */
  readonly implies?: (clause: FilterClause, parameters: Parameters) => string | undefined;
}

/** Where the records of a list come from. All of it is our own SQL; values only ever are parameters. */
export interface ListSource {
  /** The text after FROM. */
  readonly table: string;
  /** Expression of the record as json, in its 1.0 shape. */
  readonly record: string | Fragment;
  /** Expression of the workspace; default `workspace_id`. */
  readonly workspace?: string;
  /** Its rows lie in other workspaces as well, so the role of one workspace does not see them all. */
  readonly severalWorkspaces?: true;
  /** Expression of what breaks ties, unique in the list; default `id`. */
  readonly id?: string;
  /** Which rows exist at all, such as `deleted_at IS NULL`. */
  readonly where?: string;
  /** The same in words that are looked up row by row and never joined: a page has few rows, whatever the planner expects. */
  readonly whereOfRow?: string;
  readonly fields: Readonly<Record<string, string | ListField>>;
  /** Column that is `updated_at` where that is more than ten minutes after `created_at`, else null; both have an index. */
  readonly revised?: string;
  /** Counts by the hour of created_at that say where the rows are, and how many. */
  readonly counts?: HourlyCounts;
  readonly rare?: RareValues;
  /** Batches of it are known by the texts and metadata they hold. */
  readonly searched?: Searched;
  /** How many rows match these clauses, where that is known otherwise than by counting them. */
  readonly total?: (workspaceId: string, filter: readonly FilterClause[]) => Statement | undefined;
}
