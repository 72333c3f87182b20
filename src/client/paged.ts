import type { Query } from './options.js';

/** The position of a page. Empty for the first one. */
export interface PagePosition {
  /** Number of the page, from 1. Pages by number reach the first 50,000 records. */
  readonly page?: number;
  /** `nextCursor` or `prevCursor` of another page of the same list. */
  readonly cursor?: string;
}

interface Following<T> {
  readonly data: readonly T[];
  readonly pagination?: { readonly nextCursor: string | null };
}

/** The maximum page size. It reads a whole list with the fewest requests. */
const WHOLE_LIST_LIMIT = 100;

/** A list. No request is sent until it is read: completely with `for await`, or one page with `page()`. */
export class Paged<T, Page = unknown> implements AsyncIterable<T> {
  readonly #read: (query: Query) => Promise<Page>;
  readonly #query: Query;

  constructor(read: (query: Query) => Promise<Page>, query: Query) {
    this.#read = read;
    this.#query = query;
  }

  /** One page with its totals, links and cursors. */
  page(position: PagePosition = {}): Promise<Page> {
    return this.#read({ ...this.#query, ...position });
  }

  /** All records. Records that are added or removed while the list is read do not repeat or hide other records. */
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
