import type { Pool } from 'pg';
import type { ListKey, ListPage, ListQuery, ListSpec } from '../core/listing/list-spec.js';
import type { Fragment } from './listing-filter.js';
import { countsHelp, countsTell, pageByHours, totalByCounts } from './listing-hours.js';
import type { ListSource, Statement } from './listing-source.js';
import { ListStatement } from './listing-statement.js';

export type { ListField, ListSource } from './listing-source.js';

import { readIn } from './workspace-reads.js';

interface Row<Record> {
  readonly record: Record;
  readonly sort_value: string | null;
  readonly sort_id: string;
  readonly more_behind: boolean;
}

/**
 * One page of the workspace's records. `conditions` narrow the list, as to one conversation; in them `$1` is the first
 * of their own values.
 *
 * Null sorts after every value in ascending order and before in descending, as in an ordinary index.
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
  const { counts } = source;
  const page = async () =>
    counts !== undefined && countsHelp(query, counts)
      ? pageByHours<Row<Record>>(query, counts, workspaceId, read, (hours) => list.page(hours))
      : (await read<Row<Record>>(list.page())).rows;
  const total =
    counts !== undefined && conditions.length === 0 && countsTell(query, counts)
      ? totalByCounts(query, counts, workspaceId, source.table)
      : list.total();
  const [rows, found] = await Promise.all([page(), query.count ? read<{ total: number }>(total) : undefined]);
  return toPage(rows, query, found?.rows[0]?.total ?? null);
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
  // Without a row nobody says whether there are others behind: reading on from the key itself finds out.
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
