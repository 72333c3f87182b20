import type { FilterClause, FilterOperator, FilterType, FilterValue } from '../../core/listing/list-spec.js';

/** A piece of SQL with its own values. In it, `$1` is the first of these values. */
export interface Fragment {
  readonly sql: string;
  readonly values?: readonly unknown[];
}

/** Collects the values of a statement and numbers them. */
export class Parameters {
  readonly values: unknown[] = [];

  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** Adds the values of a piece and returns its SQL with the parameters renumbered for the whole statement. */
  add(piece: string | Fragment): string {
    if (typeof piece === 'string') return piece;
    const names = (piece.values ?? []).map((value) => this.value(value));
    return piece.sql.replace(/\$(\d+)/g, (_, number) => names[Number(number) - 1] ?? 'NULL');
  }
}

/** The SQL type in which values of a field are compared. */
export const sqlTypes: Readonly<Record<FilterType['type'], string>> = {
  enum: 'text',
  string: 'text',
  array: 'text',
  uuid: 'uuid',
  bool: 'boolean',
  int: 'bigint',
  number: 'double precision',
  timestamp: 'timestamptz',
};

interface FilteredField {
  readonly sql: string;
  readonly type: FilterType['type'];
  readonly contains?: string;
}

/** The condition of one clause. A negated clause also matches null. */
export function filterSql(clause: FilterClause, field: FilteredField, parameters: Parameters): string {
  if (clause.negated && clause.values.length === 1 && clause.values[0]?.operator === 'null') {
    return `(${field.sql} IS NULL) IS FALSE`;
  }
  const any = clause.values.map((value) => valueSql(value, field, parameters)).join(' OR ');
  return clause.negated ? `NOT coalesce(${any}, false)` : `(${any})`;
}

const SIGNS: Readonly<Partial<Record<FilterOperator, string>>> = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

function valueSql(
  { operator, value = '' }: FilterValue,
  field: FilteredField,
  parameters: Parameters,
): string {
  if (operator === 'null') return `${field.sql} IS NULL`;
  if (operator === 'contains') return `${field.sql} ILIKE ${parameters.value(`%${escapeLike(value)}%`)}`;
  if (field.type === 'array') return elementSql(value, field, parameters);
  if (field.type === 'timestamp') return timeSql(operator, value, field.sql, parameters);
  return `${field.sql} ${SIGNS[operator]} ${parameters.value(value)}::${sqlTypes[field.type]}`;
}

function elementSql(value: string, field: FilteredField, parameters: Parameters): string {
  if (field.contains !== undefined) return parameters.add({ sql: field.contains, values: [value] });
  return `${parameters.value(value)} = ANY (${field.sql})`;
}

/** Clients see milliseconds, so a time means the whole millisecond. Stored times are more precise. */
function timeSql(operator: FilterOperator, value: string, sql: string, parameters: Parameters): string {
  const from = `${parameters.value(value)}::timestamptz`;
  const until = `${from} + interval '1 ms'`;
  switch (operator) {
    case 'gt':
      return `${sql} >= ${until}`;
    case 'gte':
      return `${sql} >= ${from}`;
    case 'lt':
      return `${sql} < ${from}`;
    case 'lte':
      return `${sql} < ${until}`;
    default:
      return `(${sql} >= ${from} AND ${sql} < ${until})`;
  }
}

/** Whether the clause matches only some of these values and no other value. */
export function asksOnly({ negated, values }: FilterClause, known: readonly string[]): boolean {
  return !negated && values.every(({ value = '' }) => known.includes(value));
}

/** The condition on the indexed column that holds only statuses of low frequency. Undefined if the clause asks for another status. */
export function impliedLowFrequencyStatus(
  clause: FilterClause,
  lowFrequency: readonly string[],
  parameters: Parameters,
): string | undefined {
  if (!asksOnly(clause, lowFrequency)) return undefined;
  const [first, ...more] = clause.values.map(({ value }) => value);
  // For one value, the index has the rows in the order of the page.
  return more.length === 0
    ? `rare_status = ${parameters.value(first)}`
    : `rare_status = ANY (${parameters.value([first, ...more])})`;
}

/** Deliveries and links are always on the platform of a connection. A platform that never had a connection has no rows. */
export function impliedByPlatform(
  { negated, values }: FilterClause,
  parameters: Parameters,
): string | undefined {
  if (negated) return undefined;
  const wanted = parameters.value(values.map(({ value }) => value));
  return `EXISTS (SELECT 1 FROM connections c WHERE c.platform = ANY (${wanted}::text[]))`;
}

/** A clause names teams, and a conversation has the id of its team. Names of deleted teams are not found. */
export function impliedByTeam({ negated, values }: FilterClause, parameters: Parameters): string | undefined {
  if (negated || values.some(({ operator }) => operator !== 'eq')) return undefined;
  const names = parameters.value(values.map(({ value }) => value));
  return `team_id = ANY (ARRAY(SELECT t.id FROM teams t WHERE t.name = ANY (${names}::text[]) AND t.deleted_at IS NULL))`;
}

/**
 * A change is prompt within this time after the row was created. Prompt changes are found by created_at, others by `revised_at`.
 */
export const PROMPT = `interval '10 minutes'`;

/**
 * The conditions that a filter by the time of the last change implies for `created_at` and `revised_at`. `revised_at` holds the
 * time of a change that was not prompt.
 */
export function impliedByUpdate(
  { negated, values: [first, ...more] }: FilterClause,
  parameters: Parameters,
): string | undefined {
  if (negated || more.length > 0) return undefined;
  const at = () => `${parameters.value(first?.value)}::timestamptz`;
  if (first?.operator === 'lt' || first?.operator === 'lte') return `created_at <= ${at()} + interval '1 ms'`;
  if (first?.operator === 'gt' || first?.operator === 'gte') {
    return `(created_at >= ${at()} - ${PROMPT} OR revised_at >= ${at()})`;
  }
  return undefined;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
