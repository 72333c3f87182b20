import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';

const GATHER_MS = 500;

/** Keys to reload when their delay ends. */
const waiting = new Set<string>();

/**
 * Reloads queries after an event: immediately, and then at most every 500 ms. A request in progress completes first, because
 * events in quick succession would otherwise cancel every request.
 */
export function refresh(queries: QueryClient, queryKey: QueryKey): void {
  const hash = hashKey(queryKey);
  if (waiting.has(hash)) return;
  if (queries.isFetching({ queryKey }) === 0) void queries.invalidateQueries({ queryKey });
  else later(queries, queryKey, hash);
}

function later(queries: QueryClient, queryKey: QueryKey, hash: string): void {
  waiting.add(hash);
  setTimeout(() => {
    if (waiting.delete(hash)) refresh(queries, queryKey);
  }, GATHER_MS);
}

/**
 * Reloads all queries after events may have been missed. A first request in progress may have been answered before the missed
 * events, so it is repeated as well. React Query would keep its response.
 */
export function refreshAll(queries: QueryClient): void {
  for (const { queryKey } of queries.getQueryCache().findAll()) refresh(queries, queryKey);
}

/**
 * Cancels the requests below a key, including scheduled ones. Their record was deleted, so the response would be an error. The
 * cached data stays until its screen closes.
 */
export function stopReading(queries: QueryClient, queryKey: QueryKey): void {
  for (const { queryKey: key } of queries.getQueryCache().findAll({ queryKey })) waiting.delete(hashKey(key));
  waiting.delete(hashKey(queryKey));
  void queries.cancelQueries({ queryKey });
}

/**
 * Changes the loaded data of all queries below a key. `undefined` leaves the data unchanged. A query with a request in progress
 * is reloaded afterwards, because its response may be older than the change.
 */
export function patchQueries<Data>(
  queries: QueryClient,
  queryKey: QueryKey,
  change: (data: Data, key: QueryKey) => Data | undefined,
): void {
  for (const { queryKey: key, state } of queries.getQueryCache().findAll({ queryKey })) {
    if (state.fetchStatus === 'fetching') refresh(queries, key);
    if (state.data === undefined) continue;
    const next = change(state.data as Data, key);
    if (next !== undefined) queries.setQueryData(key, next);
  }
}
