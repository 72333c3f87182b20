import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';

const PAGE = 100;
/** Limit of pages. Lists can be long, because some keep revoked keys and removed records. */
const MAX_PAGES = 1_000;

/** All records of a list, oldest first. */
export async function allOf<Item>(list: (query: ListQuery) => Promise<ListPage<Item>>): Promise<Item[]> {
  const all: Item[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items } = await list({
      filter: [],
      sort: 'created_at',
      order: 'asc',
      limit: PAGE,
      at: { mode: 'offset', page },
      count: false,
    });
    all.push(...items);
    if (items.length < PAGE) return all;
  }
  throw new Error(`A list has more than ${MAX_PAGES * PAGE} entries.`);
}
