import type { FilterClause, FilterType, ListQuery, ListSpec } from '../../core/listing/list-spec.js';
import { type Fragment, filterSql, Parameters, PROMPT } from './filter.js';
import { keysetParts, keysetSql } from './keyset.js';
import type { ListField, ListSource, Places, Span, Statement } from './source.js';

type TypedField = ListField & { readonly type: FilterType['type'] };

/** Writes the statements of one list request. */
export class ListStatement {
  private readonly id: string;
  private readonly sort: TypedField;

  constructor(
    private readonly source: ListSource,
    private readonly spec: ListSpec,
    private readonly workspaceId: string,
    private readonly query: ListQuery,
    private readonly conditions: readonly Fragment[],
  ) {
    this.id = source.id ?? 'id';
    this.sort = this.field(query.sort);
  }

  /**
   * The statement for the page. With spans or places, it reads only rows that were created in a span or meet the condition of a
   * place.
   */
  page(spans?: readonly Span[], places?: Places): Statement {
    const parameters = new Parameters();
    const { limit } = this.query;
    const where = this.place(parameters, spans, places);
    const text = `SELECT ${parameters.add(this.source.record)} AS record, (${this.sort.sql})::text AS sort_value,
      ${this.id}::text AS sort_id, ${this.behind(parameters)} AS more_behind
      FROM ${this.source.table} WHERE ${where} ORDER BY ${this.order()} LIMIT ${limit + 1}`;
    return { text, values: parameters.values };
  }

  /** The statement for the total. With spans, it counts only rows that were created in them. */
  total(spans?: readonly Span[]): Statement {
    const parameters = new Parameters();
    const found = this.found(parameters, this.source.where);
    const rows = `FROM ${this.source.table} WHERE ${found}`;
    const text =
      spans === undefined
        ? `SELECT count(*)::int AS total ${rows}`
        : `SELECT count(*)::int AS total FROM ${this.spans(spans, parameters)} CROSS JOIN LATERAL (
            SELECT ${rows} AND created_at >= span.start AND created_at < span.until OFFSET 0) f`;
    return { text, values: parameters.values };
  }

  /** Whether the statement reads in descending order of the keys. */
  private get descending(): boolean {
    return (this.query.order === 'desc') !== (this.query.at.mode === 'before');
  }

  private order(sort = this.sort.sql): string {
    const direction = this.descending ? 'DESC' : 'ASC';
    return `${sort} ${direction}, ${this.id} ${direction}`;
  }

  private place(
    parameters: Parameters,
    spans: readonly Span[] | undefined,
    places: Places | undefined,
  ): string {
    const { at, limit } = this.query;
    const found = this.found(parameters);
    const offset = at.mode === 'offset' ? (at.page - 1) * limit : 0;
    if (spans !== undefined) {
      const there = this.inPlaces(found, parameters, places);
      if (spans.length === 0 && there.length > 0) return this.among(found, there);
      return this.among(found, [this.inSpans(found, parameters, spans, offset), ...there]);
    }
    if (at.mode === 'offset') return this.among(found, [this.ids(found, this.order(), offset)]);
    if (this.source.revised !== undefined && this.sortsByRevision) {
      return this.among(found, this.byRevision(found, parameters, this.source.revised));
    }
    if (this.sort.nullable !== true) return `${found} AND ${this.ahead(parameters)}`;
    return this.among(found, this.withAndWithout(found, parameters));
  }

  /** Two queries that an index can answer: rows without a value in the order of their ids, and rows with a value. */
  private withAndWithout(found: string, parameters: Parameters): string[] {
    const { at } = this.query;
    const { sql } = this.sort;
    const side = { sort: this.sort, id: this.id, descending: this.descending };
    const { empty, valued } =
      at.mode === 'after' || at.mode === 'before'
        ? keysetParts({ ...side, key: at.key, inclusive: at.inclusive }, parameters)
        : { empty: `${sql} IS NULL`, valued: `${sql} IS NOT NULL` };
    const direction = this.descending ? 'DESC' : 'ASC';
    return [
      ...(empty === undefined ? [] : [this.ids(`${found} AND ${empty}`, `${this.id} ${direction}`)]),
      ...(valued === undefined ? [] : [this.ids(`${found} AND ${valued}`, this.order())]),
    ];
  }

  /** Queries for the rows at these places. When places follow one another, the later ones are not read once the page is full. */
  private inPlaces(found: string, parameters: Parameters, places: Places | undefined): string[] {
    if (places === undefined) return [];
    const ids = places.conditions.map((condition) => {
      const where = `${found} AND ${parameters.add(condition)}`;
      return condition.gathered
        ? this.ids(this.ahead(parameters), this.order(), 0, `(${this.gathered(where)}) AS gathered`)
        : this.ids(`${where} AND ${this.ahead(parameters)}`, this.order());
    });
    if (places.newestFirst === undefined) return ids;
    const inOrder = this.descending ? ids : ids.reverse();
    const one = inOrder.map((query) => `(${query})`).join(' UNION ALL ');
    return [`SELECT ${this.id} FROM (${one}) AS places LIMIT ${this.query.limit + 1}`];
  }

  private gathered(where: string): string {
    return `SELECT ${this.id}, ${this.sort.sql} FROM ${this.source.table} WHERE ${where} OFFSET 0`;
  }

  /** Condition for the rows of the list, without the position of the page. */
  private found(parameters: Parameters, where = this.source.whereOfRow ?? this.source.where): string {
    const { workspace = 'workspace_id' } = this.source;
    return [
      `${workspace} = ${parameters.value(this.workspaceId)}::uuid`,
      ...(where === undefined ? [] : [`(${where})`]),
      ...this.conditions.map((condition) => `(${parameters.add(condition)})`),
      ...this.query.filter.flatMap((clause) => this.clause(clause, parameters)),
    ].join(' AND ');
  }

  private clause(clause: FilterClause, parameters: Parameters): string[] {
    const field = this.field(clause.field);
    const implied = field.implies?.(clause, parameters);
    return [filterSql(clause, field, parameters), ...(implied === undefined ? [] : [implied])];
  }

  /** Condition for the rows of these queries. The queries select ids only, so a skipped row is never converted into a record. */
  private among(found: string, ids: readonly string[]): string {
    return `${found} AND ${this.id} = ANY (ARRAY(${ids.map((query) => `(${query})`).join(' UNION ALL ')}))`;
  }

  private ids(where: string, order: string, offset = 0, from = this.source.table): string {
    const skipped = offset > 0 ? ` OFFSET ${offset}` : '';
    return `SELECT ${this.id} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${this.query.limit + 1}${skipped}`;
  }

  /** Condition for the rows after the cursor in the direction of reading. */
  private ahead(parameters: Parameters, sort: TypedField = this.sort): string {
    const { at } = this.query;
    if (at.mode !== 'after' && at.mode !== 'before') return 'true';
    const side = { sort, id: this.id, key: at.key, descending: this.descending };
    return keysetSql({ ...side, inclusive: at.inclusive }, parameters);
  }

  /**
   * Whether rows exist on the other side of the cursor. Checks the row of the cursor first, because it usually exists, then the
   * next row on that side.
   */
  private behind(parameters: Parameters): string {
    const { at } = this.query;
    if (at.mode === 'offset') return at.page > 1 ? 'true' : 'false';
    if (at.mode === 'first') return 'false';
    const side = { sort: this.sort, id: this.id, key: at.key };
    const parts = keysetParts(
      { ...side, descending: !this.descending, inclusive: !at.inclusive },
      parameters,
    );
    const back = [parts.empty, parts.valued].filter((part) => part !== undefined);
    const direction = this.descending ? 'ASC' : 'DESC';
    const order = `ORDER BY ${this.sort.sql} ${direction}, ${this.id} ${direction}`;
    const rows = `SELECT true FROM ${this.source.table} WHERE ${this.found(parameters)}`;
    // Without an index in this order, finding the next row would sort all rows.
    const next = back.map((part) => `(${rows} AND ${part} ${this.sortsByRevision ? '' : order} LIMIT 1)`);
    return `CASE WHEN EXISTS (${rows} AND (${back.join(' OR ')}) AND ${this.id} = ${parameters.value(at.key[1])}) THEN true
      ELSE coalesce(${next.join(', ')}, false) END`;
  }

  private get sortsByRevision(): boolean {
    return this.source.revised !== undefined && this.query.sort === 'updated_at';
  }

  private spans(spans: readonly Span[], parameters: Parameters): string {
    const starts = parameters.value(spans.map(({ start }) => start));
    const ends = parameters.value(spans.map(({ until }) => until));
    return `unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) AS span (start, until)`;
  }

  private inSpans(found: string, parameters: Parameters, spans: readonly Span[], offset: number): string {
    const { limit } = this.query;
    const inner = `SELECT ${this.id} AS found_id, ${this.sort.sql} AS found_at FROM ${this.source.table}
      WHERE ${found} AND ${this.sort.sql} >= span.start AND ${this.sort.sql} < span.until AND ${this.beyond(parameters)}
      ORDER BY ${this.order()} LIMIT ${offset + limit + 1}`;
    const direction = this.descending ? 'DESC' : 'ASC';
    return `SELECT found_id FROM ${this.spans(spans, parameters)} CROSS JOIN LATERAL (${inner}) f
      ORDER BY found_at ${direction}, found_id ${direction} LIMIT ${limit + 1} OFFSET ${offset}`;
  }

  /**
   * The same condition as `ahead`, in a form that an index uses as one more bound of the time. A comparison of both columns would
   * become the start of the index scan, and each hour would be reached by reading all rows from the cursor on.
   */
  private beyond(parameters: Parameters): string {
    const { at } = this.query;
    if (at.mode !== 'after' && at.mode !== 'before') return 'true';
    const sign = this.descending ? '<=' : '>=';
    return `${this.sort.sql} ${sign} ${parameters.value(at.key[0])}::timestamptz AND (${this.ahead(parameters)}) IS TRUE`;
  }

  /**
   * Queries for a list by updated_at, which has no index. Rows that did not change promptly are in the index of the revised
   * column. Among the other rows, the queries read only those created shortly before the page. The first rows in the order of
   * created_at show how far the page can reach.
   */
  private byRevision(found: string, parameters: Parameters, revised: string): string[] {
    const { at } = this.query;
    const late: TypedField = { sql: revised, type: 'timestamp' };
    const bounds = this.query.filter.filter(({ field, negated }) => field === 'updated_at' && !negated);
    const made = bounds.flatMap(({ values: [first, ...more] }) =>
      more.length === 0 && (first?.operator === 'gt' || first?.operator === 'gte')
        ? [`created_at >= ${parameters.value(first.value)}::timestamptz - ${PROMPT}`]
        : [],
    );
    const prompt = [found, `${revised} IS NULL`, this.ahead(parameters), ...made].join(' AND ');
    const key =
      at.mode === 'after' || at.mode === 'before' ? `${parameters.value(at.key[0])}::timestamptz` : undefined;
    const descending = this.descending;
    // Always give the start of the range too. The planner does not know the end, so it would estimate a half-open range as a
    // third of the table.
    const begin = descending
      ? `created_at <= ${key ?? "'infinity'"}`
      : `created_at >= ${key ?? "'-infinity'"}::timestamptz - ${PROMPT}`;
    const near = `${prompt} AND ${begin}`;
    const first = `SELECT created_at, updated_at FROM ${this.source.table} WHERE ${near}
      ORDER BY created_at ${descending ? 'DESC' : 'ASC'} LIMIT ${this.query.limit + 1}`;
    const end = descending
      ? `created_at >= (SELECT min(f.created_at) - ${PROMPT} FROM (${first}) f)`
      : `created_at <= (SELECT max(f.updated_at) FROM (${first}) f)`;
    const changed = bounds.map((clause) => filterSql(clause, late, parameters));
    return [
      this.ids(`${near} AND ${end}`, this.order()),
      this.ids(
        [found, `${revised} IS NOT NULL`, this.ahead(parameters, late), ...changed].join(' AND '),
        this.order(revised),
      ),
    ];
  }

  private field(name: string): TypedField {
    const own = Object.hasOwn(this.source.fields, name) ? this.source.fields[name] : undefined;
    const type = Object.hasOwn(this.spec.filter, name) ? this.spec.filter[name] : undefined;
    const nullable = type !== undefined && 'nullable' in type ? (type.nullable ?? false) : false;
    if (own === undefined && name.startsWith('metadata.')) {
      return { sql: this.metadataSql(name.slice('metadata.'.length)), type: 'string', nullable: true };
    }
    if (own === undefined) throw new Error(`The list of ${this.source.table} has no expression for ${name}.`);
    const field = typeof own === 'string' ? { sql: own } : own;
    return { nullable, ...field, type: field.type ?? type?.type ?? 'string' };
  }

  /** Keys consist of letters, digits, `_`, `-` and `.`: the filter grammar admits no others. */
  private metadataSql(key: string): string {
    if (!/^[A-Za-z0-9_.-]+$/.test(key)) throw new Error('This is not a metadata key of the filter grammar.');
    const metadata = this.source.fields.metadata ?? 'metadata';
    return `(${typeof metadata === 'string' ? metadata : metadata.sql} ->> '${key}')`;
  }
}
