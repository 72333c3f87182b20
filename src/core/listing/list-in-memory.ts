import type {
  FilterClause,
  FilterType,
  FilterValue,
  ListKey,
  ListPage,
  ListQuery,
  ListSpec,
} from './list-spec.js';

type Row = Readonly<Record<string, unknown>>;

/** A page of records that are all in memory, with the rules of a page from the database. */
export function listInMemory<Item extends object>(
  items: readonly Item[],
  spec: ListSpec,
  query: ListQuery,
  idField = 'id',
): ListPage<Item> {
  const found = items.filter((item) => query.filter.every((clause) => matches(item as Row, clause, spec)));
  const sign = query.order === 'asc' ? 1 : -1;
  const numeric = ['int', 'number'].includes(spec.filter[query.sort]?.type ?? '');
  const keyed = found
    .map((item) => ({ item, key: keyOf(item as Row, query.sort, idField) }))
    .sort((a, b) => sign * compareKeys(a.key, b.key, numeric));
  const position = (key: ListKey) => keyed.map((row) => sign * compareKeys(row.key, key, numeric));
  const [start, end] = rangeOf(query, keyed.length, position);
  const rows = keyed.slice(start, end);
  return {
    items: rows.map((row) => row.item),
    firstKey: rows[0]?.key ?? null,
    lastKey: rows.at(-1)?.key ?? null,
    hasPrevious: start > 0,
    hasNext: end < keyed.length,
    total: query.count ? keyed.length : null,
  };
}

function rangeOf(
  { at, limit }: ListQuery,
  total: number,
  position: (key: ListKey) => number[],
): [number, number] {
  if (at.mode === 'first') return [0, Math.min(limit, total)];
  if (at.mode === 'offset') {
    const start = Math.min((at.page - 1) * limit, total);
    return [start, Math.min(start + limit, total)];
  }
  const places = position(at.key);
  if (at.mode === 'before') {
    const end = places.filter((place) => place < 0 || (at.inclusive && place === 0)).length;
    return [Math.max(0, end - limit), end];
  }
  const start = places.filter((place) => place < 0 || (!at.inclusive && place === 0)).length;
  return [start, Math.min(start + limit, total)];
}

function keyOf(row: Row, sort: string, idField: string): ListKey {
  const value = row[sort];
  return [value === null || value === undefined ? null : String(value), String(row[idField])];
}

function compareKeys(a: ListKey, b: ListKey, numeric: boolean): number {
  return compareValues(a[0], b[0], numeric) || compareTexts(a[1], b[1]);
}

function compareValues(a: string | null, b: string | null, numeric: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return numeric ? Number(a) - Number(b) : compareTexts(a, b);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function matches(row: Row, clause: FilterClause, spec: ListSpec): boolean {
  const value = clause.field.startsWith('metadata.')
    ? metadataText(row.metadata, clause.field.slice('metadata.'.length))
    : row[clause.field];
  const type = spec.filter[clause.field];
  return clause.values.some((wanted) => matchesValue(value, wanted, type)) !== clause.negated;
}

function metadataText(metadata: unknown, key: string): string | null {
  const value = (metadata as Row | undefined)?.[key] ?? null;
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}

function matchesValue(value: unknown, wanted: FilterValue, type: FilterType | undefined): boolean {
  if (wanted.operator === 'null') return value === null || value === undefined;
  if (value === null || value === undefined || wanted.value === undefined) return false;
  if (Array.isArray(value)) return value.map(String).includes(wanted.value);
  const text = String(value);
  if (wanted.operator === 'contains') return text.toLowerCase().includes(wanted.value.toLowerCase());
  const order = compareValues(text, wanted.value, type?.type === 'int' || type?.type === 'number');
  return { eq: order === 0, gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[wanted.operator];
}
