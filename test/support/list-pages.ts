import { expect } from 'vitest';
import { readFilters } from '../../src/core/listing/filter.js';
import { listInMemory } from '../../src/core/listing/list-in-memory.js';
import type { ListPage, ListQuery, ListSpec } from '../../src/core/listing/list-spec.js';

function listQuery(spec: ListSpec, filter: string, more: Partial<ListQuery> = {}): ListQuery {
  const read = filter === '' ? [] : readFilters([filter], spec);
  return {
    filter: read,
    sort: 'created_at',
    order: 'desc',
    limit: 6,
    at: { mode: 'first' },
    count: true,
    ...more,
  };
}

/** Pages by cursor and numbered pages, in both orders, must match a scan of all records. */
export async function comparePages<Item extends { readonly id: string }>(
  records: readonly Item[],
  spec: ListSpec,
  filter: string,
  list: (query: ListQuery) => Promise<ListPage<Item>>,
): Promise<void> {
  const ids = (items: readonly Item[]) => items.map(({ id }) => id);
  for (const order of ['asc', 'desc'] as const) {
    const wanted = listQuery(spec, filter, { order });
    const expected = ids(listInMemory(records, spec, { ...wanted, limit: 1_000 }).items);
    const found: string[] = [];
    let at: ListQuery['at'] | undefined = { mode: 'first' };
    while (at !== undefined) {
      const page: ListPage<Item> = await list({ ...wanted, at });
      expect([filter, page.total]).toEqual([filter, expected.length]);
      found.push(...ids(page.items));
      at =
        page.hasNext && page.lastKey !== null
          ? { mode: 'after', key: page.lastKey, inclusive: false }
          : undefined;
    }
    expect([filter, order, found]).toEqual([filter, order, expected]);
    const second = await list({ ...wanted, at: { mode: 'offset', page: 2 } });
    expect([filter, ids(second.items)]).toEqual([filter, expected.slice(6, 12)]);
  }
}
