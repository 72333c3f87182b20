import type { Pool } from 'pg';
import { currentReader } from '../../core/access/reading.js';
import type { ListKey, ListPage, ListQuery, ListSpec } from '../../core/listing/list-spec.js';
import type { Fragment } from './filter.js';
import { countsHelp, countsTell, pageByHours, totalByCounts } from './hourly-counts.js';
import { changedPlaces, lowFrequencyPage } from './low-frequency-values.js';
import { openSearch } from './search.js';
import type { ListSource, Places, Span, Statement } from './source.js';
import { ListStatement } from './statement.js';

export type { ListField, ListSource } from './source.js';

import { readIn } from '../connection/workspace-reads.js';

interface Row<Record> {
  readonly record: Record;
  readonly sort_value: string | null;
  readonly sort_id: string;
  readonly more_behind: boolean;
}

/**
 * One page of the workspace's records. `conditions` narrow the list, for example to one conversation. In a condition, `$1` is the
 * first of its own values.
 *
 * Null sorts after every value in ascending order and before every value in descending order, as in an ordinary index.
 */
export async function listRecords<Record>(
  pool: Pool,
  source: ListSource,
  spec: ListSpec,
  workspaceId: string,
  query: ListQuery,
  conditions: readonly Fragment[] = [],
): Promise<ListPage<Record>> {
  const list = new ListStatement(source, spec, workspaceId, query, conditions);
  const read = <Row extends object>(statement: Statement) =>
    source.workspace === undefined ? readIn<Row>(pool, workspaceId, statement) : pool.query<Row>(statement);
  const search = source.searched && (await openSearch(pool, source.searched, workspaceId, query));
  // Stored counts cover the whole workspace, so they are not used for a restricted member.
  const isRestricted = currentReader() !== undefined;
  const counts = isRestricted ? undefined : source.counts;
  const page = async () => {
    const inSpans = async (spans: readonly Span[], places?: Places) =>
      (await read<Row<Record>>(list.page(spans, places))).rows;
    if (search !== undefined && query.sort === 'created_at') return search.page((spans) => inSpans(spans));
    const lowFrequency = lowFrequencyPage(query, source.lowFrequency);
    const asked = lowFrequency?.counted ?? query;
    if (lowFrequency !== undefined && asked === query) return inSpans([], lowFrequency);
    if (counts !== undefined && countsHelp(asked, counts) && !asked.filter.some(counts.indexed)) {
      return pageByHours<Row<Record>>(asked, counts, workspaceId, read, (hours) =>
        list.page(hours, lowFrequency),
      );
    }
    const changed = changedPlaces(query, source.revised);
    return changed === undefined ? (await read<Row<Record>>(list.page())).rows : inSpans([], changed);
  };
  const total = async () => {
    const known =
      conditions.length === 0 && !isRestricted ? knownTotal(source, workspaceId, query) : undefined;
    const statement = known ?? list.total(await search?.everywhere());
    return (await read<{ total: number }>(statement)).rows[0]?.total ?? null;
  };
  const [rows, found] = await Promise.all([page(), query.count ? total() : null]);
  return toPage(rows, query, found);
}

/** The statement for the total from stored counts. Undefined where no count is stored. */
function knownTotal(source: ListSource, workspaceId: string, query: ListQuery): Statement | undefined {
  const { counts, table } = source;
  return counts !== undefined && countsTell(query, counts)
    ? totalByCounts(query, counts, workspaceId, table)
    : source.total?.(workspaceId, query.filter);
}

function toPage<Record>(
  rows: readonly Row<Record>[],
  query: ListQuery,
  total: number | null,
): ListPage<Record> {
  const { at, limit } = query;
  const more = rows.length > limit;
  const page = rows.slice(0, limit);
  const backward = at.mode === 'before';
  if (backward) page.reverse();
  // Without a row, it is unknown whether other rows follow. A client that reads on from the key itself finds out.
  const behind = rows[0]?.more_behind ?? (at.mode !== 'first' && at.mode !== 'offset');
  return {
    items: page.map((row) => row.record),
    firstKey: keyOf(page[0]),
    lastKey: keyOf(page.at(-1)),
    hasPrevious: backward ? more : behind,
    hasNext: backward ? behind : more,
    total,
  };
}

function keyOf(row: Row<unknown> | undefined): ListKey | null {
  return row === undefined ? null : [row.sort_value, row.sort_id];
}
