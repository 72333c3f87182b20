import type { FilterClause, FilterType, ListQuery } from '../../core/listing/list-spec.js';
import { filterSql, Parameters } from './filter.js';
import type { HourlyCounts, Span, Statement } from './source.js';

/**
 * Steps that are tried in turn: the number of counts to read, and the number of rows wanted as a multiple of the page size. The
 * last step has no limit.
 */
const STEPS = [
  { counts: 150, share: 1 },
  { counts: 1_500, share: 5 },
  { counts: 30_000, share: 20 },
  { counts: null, share: null },
] as const;

interface Hour extends Span {
  readonly amount: string;
  readonly complete: boolean;
}

type Read = <Row extends object>(statement: Statement) => Promise<{ rows: Row[] }>;

/**
 * Whether the counts give the positions of this page's rows: the list is sorted by created_at and has a clause that they know.
 */
export function countsHelp(query: ListQuery, counts: HourlyCounts): boolean {
  return (
    query.sort === 'created_at' &&
    query.at.mode !== 'offset' &&
    query.filter.some((clause) => isKnown(clause, counts))
  );
}

/** Whether the counts alone give the total: the list has no filter, or only clauses that the counts know. */
export function countsTell(query: ListQuery, counts: HourlyCounts): boolean {
  return query.filter.every((clause) => isKnown(clause, counts));
}

/**
 * Reads the rows of a page only from hours in which the counts have rows. Deleted rows are still counted, and other clauses may
 * exclude rows, so it reads more hours until the page is full.
 */
export async function pageByHours<Row extends object>(
  query: ListQuery,
  counts: HourlyCounts,
  workspaceId: string,
  read: Read,
  page: (spans: readonly Span[]) => Statement,
): Promise<Row[]> {
  for (const step of STEPS) {
    const { rows: hours } = await read<Hour>(hoursStatement(query, counts, workspaceId, step.counts));
    const wanted = step.share === null ? Number.POSITIVE_INFINITY : step.share * (query.limit + 1);
    const spans = enough(hours, wanted, query.at.mode === 'after' || query.at.mode === 'before');
    const { rows } = await read<Row>(page(spans));
    if (rows.length > query.limit) return rows;
    if (spans.length === hours.length && (hours[0]?.complete ?? true)) return rows;
  }
  throw new Error('The last step reads all counts.');
}

/** The total number of rows of the list. One statement reads both the counts and the deleted rows, so they are consistent. */
export function totalByCounts(
  query: ListQuery,
  counts: HourlyCounts,
  workspaceId: string,
  gone: string,
): Statement {
  const parameters = new Parameters();
  const conditions = countConditions(query, counts, workspaceId, parameters).join(' AND ');
  const text = `SELECT (
      coalesce((SELECT sum(amount) FROM insight_counts WHERE ${conditions} AND span = 'ever'), 0)
      + coalesce((SELECT sum(amount) FROM insight_changes WHERE ${conditions}), 0)
      - (SELECT count(*) FROM ${gone} WHERE ${goneConditions(query, counts, workspaceId, parameters)}))::int AS total`;
  return { text, values: parameters.values };
}

/**
 * The first hours that contain this many rows. The hour of a cursor does not count, because all its rows may precede the cursor.
 */
function enough(hours: readonly Hour[], wanted: number, fromCursor: boolean): Span[] {
  let sum = 0;
  const spans: Span[] = [];
  for (const hour of hours) {
    if (sum >= wanted) break;
    if (spans.length > 0 || !fromCursor) sum += Number(hour.amount);
    spans.push(hour);
  }
  return spans;
}

/** Hours with rows, in the order of the page. When not all counts were read, hours beyond the last count read are left out. */
function hoursStatement(
  query: ListQuery,
  counts: HourlyCounts,
  workspaceId: string,
  maxCounts: number | null,
): Statement {
  const parameters = new Parameters();
  const { at } = query;
  const descending = (query.order === 'desc') !== (at.mode === 'before');
  const key = at.mode === 'after' || at.mode === 'before' ? parameters.value(at.key[0]) : undefined;
  const near = (column: string) =>
    key === undefined
      ? 'true'
      : `${column} ${descending ? `<= ${key}::timestamptz` : `> ${key}::timestamptz - interval '1 hour'`}`;
  const conditions = [...countConditions(query, counts, workspaceId, parameters), 'amount > 0'].join(' AND ');
  const direction = descending ? 'DESC' : 'ASC';
  // A clause that matches no row is detected with the few counts of all time.
  const text = `WITH counted AS MATERIALIZED (
      SELECT start, amount FROM insight_counts WHERE ${conditions} AND span = 'hour' AND ${near('start')}
        AND EXISTS (SELECT FROM insight_counts WHERE ${conditions} AND span = 'ever')
      ORDER BY start ${direction} LIMIT ${maxCounts === null ? 'ALL' : maxCounts}
    ), extent AS MATERIALIZED (
      SELECT ${maxCounts === null ? 'true' : `count(*) < ${maxCounts}`} AS complete, ${descending ? 'min' : 'max'}(start) AS last FROM counted)
    SELECT h.start::text AS start, (h.start + interval '1 hour')::text AS until, sum(h.amount) AS amount, e.complete FROM extent e CROSS JOIN (
      SELECT start, amount FROM counted
      UNION ALL SELECT hour, amount FROM insight_changes WHERE ${conditions} AND ${near('hour')}) h
    WHERE e.complete OR h.start ${descending ? '>=' : '<='} e.last
    GROUP BY h.start, e.complete ORDER BY h.start ${direction}`;
  return { text, values: parameters.values };
}

function isKnown(clause: FilterClause, { columns }: HourlyCounts): boolean {
  return (
    Object.hasOwn(columns, clause.field) &&
    clause.values.every(({ operator, value }) => operator === 'null' || (operator === 'eq' && value !== ''))
  );
}

function countConditions(
  query: ListQuery,
  counts: HourlyCounts,
  workspaceId: string,
  parameters: Parameters,
): string[] {
  return [
    `workspace_id = ${parameters.value(workspaceId)}::uuid`,
    `resource = '${counts.resource}'`,
    `measure = ANY (${parameters.value(counts.measures)})`,
    ...query.filter
      .filter((clause) => isKnown(clause, counts))
      .map((clause) => {
        const sql = counts.columns[clause.field] ?? clause.field;
        const others = otherValues(clause, counts);
        if (others !== undefined) return `${sql} = ANY (${parameters.value(others)})`;
        // The counts store null as an empty text.
        const values = clause.values.map((value) =>
          value.operator === 'null' ? { operator: 'eq' as const, value: '' } : value,
        );
        return filterSql({ ...clause, values }, { sql, type: 'enum' }, parameters);
      }),
  ];
}

/** The values of the domain that a negated clause leaves. An index can find a few values, but not the absence of others. */
function otherValues({ field, negated, values }: FilterClause, counts: HourlyCounts): string[] | undefined {
  const domain = counts.domains[field];
  if (!negated || domain === undefined) return undefined;
  return domain.filter((one) => values.every(({ value }) => value !== one));
}

function goneConditions(
  query: ListQuery,
  counts: HourlyCounts,
  workspaceId: string,
  parameters: Parameters,
): string {
  const type: FilterType['type'] = 'enum';
  return [
    `workspace_id = ${parameters.value(workspaceId)}::uuid`,
    counts.gone,
    ...query.filter.map((clause) => filterSql(clause, { sql: clause.field, type }, parameters)),
  ].join(' AND ');
}
