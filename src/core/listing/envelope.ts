import type { CursorPosition, Cursors } from './cursor.js';
import type { ListRequest } from './list-request.js';
import type { ListPage } from './list-spec.js';

/** Formats a page as requested: `data` with offset blocks, a pagination block, or both. */
export function listEnvelope<Item>(
  request: ListRequest,
  page: ListPage<Item>,
  pathAsSent: string,
  cursors: Cursors,
): Record<string, unknown> {
  return {
    data: page.items,
    ...(request.envelope === 'cursor' ? {} : offsetBlocks(request, page.total ?? 0, pathAsSent)),
    ...(request.envelope === 'offset' ? {} : { pagination: paginationBlock(request, page, cursors) }),
  };
}

function offsetBlocks(request: ListRequest, total: number, path: string) {
  const { limit } = request.query;
  const pages = Math.ceil(total / limit);
  const last = Math.max(1, pages);
  const link = (page: number) => linkTo(request, path, page);
  return {
    meta: { current_page: request.page, total_pages: pages, total_items: total, items_per_page: limit },
    links: {
      first: link(1),
      last: link(last),
      prev: request.page === 1 ? null : link(Math.min(request.page - 1, last)),
      next: request.page < pages ? link(request.page + 1) : null,
    },
  };
}

function linkTo(request: ListRequest, path: string, page: number): string {
  const kept = request.scope.parameters.filter(([name]) => name !== 'page' && name !== 'limit');
  const parameters = [...kept, ['page', String(page)], ['limit', String(request.query.limit)]];
  return `${path}?${parameters.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
}

function paginationBlock<Item>(request: ListRequest, page: ListPage<Item>, cursors: Cursors) {
  const write = (position: CursorPosition | null) => position && cursors.write(position, request.scope);
  const nextCursor = write(nextPosition(request, page));
  return {
    nextCursor,
    prevCursor: write(previousPosition(request, page)),
    limit: request.query.limit,
    hasMore: nextCursor !== null,
  };
}

function nextPosition<Item>({ query }: ListRequest, page: ListPage<Item>): CursorPosition | null {
  if (!page.hasNext) return null;
  if (page.lastKey !== null) return { mode: 'after', key: page.lastKey, inclusive: false };
  return query.at.mode === 'before'
    ? { mode: 'after', key: query.at.key, inclusive: !query.at.inclusive }
    : null;
}

function previousPosition<Item>({ query }: ListRequest, page: ListPage<Item>): CursorPosition | null {
  if (!page.hasPrevious) return null;
  if (page.firstKey !== null) return { mode: 'before', key: page.firstKey, inclusive: false };
  return query.at.mode === 'after'
    ? { mode: 'before', key: query.at.key, inclusive: !query.at.inclusive }
    : null;
}
