import type { Query } from './options.js';

/** Where a page begins: nothing for the first one. */
export interface PagePosition {
  /** Number of the page, from 1; for pages of up to 50,000 records in all. */
  readonly page?: number;
  /** `nextCursor` or `prevCursor` of another page of the same list. */
  readonly cursor?: string;
}

interface Following<T> {
  readonly data: readonly T[];
  readonly pagination?: { readonly nextCursor: string | null };
}

/** The largest page there is: reading a whole list takes the fewest requests with it. */
const WHOLE_LIST_LIMIT = 100;

/** A list. Nothing is asked for before it is read, by `for await` as a whole or by `page()` in part. */
export class Paged<T, Page = unknown> implements AsyncIterable<T> {
  readonly #read: (query: Query) => Promise<Page>;
  readonly #query: Query;

  constructor(read: (query: Query) => Promise<Page>, query: Query) {
    this.#read = read;
    this.#query = query;
  }

  /** One page with what the service says about it: totals, links and cursors. */
  page(position: PagePosition = {}): Promise<Page> {
    return this.#read({ ...this.#query, ...position });
  }

  /** All records. One that is added or removed meanwhile never repeats or hides another one. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let cursor: string | null | undefined = '';
    while (typeof cursor === 'string') {
      const query = { limit: WHOLE_LIST_LIMIT, ...this.#query, cursor };
      const { data, pagination } = (await this.#read(query)) as Following<T>;
      yield* data;
      cursor = pagination?.nextCursor;
    }
  }
}
