import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { ServiceEvent, StreamState } from './event-stream';
import { followTogether } from './shared-stream';

export type EventHandler = (event: ServiceEvent, queries: QueryClient) => void;

const handlers = new Set<EventHandler>();
const watchers = new Set<() => void>();
let state: StreamState = 'connecting';

function setState(next: StreamState): void {
  state = next;
  for (const watcher of watchers) watcher();
}

/** Follows the service for as long as the page is open, and reads again what it may have missed. */
function startLive(queries: QueryClient, patches: readonly EventHandler[]): () => void {
  const controller = new AbortController();
  const startedAt = Date.now();
  let isFirst = true;
  void followTogether(
    {
      event: (event) => {
        for (const handler of [...patches, ...handlers]) handler(event, queries);
      },
      state: setState,
      gap: () => {
        const isOld = isFirst ? mayMiss(startedAt) : () => true;
        isFirst = false;
        void queries.invalidateQueries({ predicate: isOld });
      },
    },
    controller.signal,
  );
  return () => controller.abort();
}

/** What was read, or is being read, since the page was opened and before its first stream was. */
const mayMiss =
  (startedAt: number) =>
  ({ state }: Query): boolean =>
    state.fetchStatus === 'fetching' || (state.dataUpdatedAt > 0 && state.dataUpdatedAt >= startedAt);

/** Calls the handler with each event while the component is shown. What is in the cache of queries is kept current by LiveUpdates. */
export function useEvents(handler: EventHandler): void {
  useEffect(() => {
    handlers.add(handler);
    return () => void handlers.delete(handler);
  }, [handler]);
}

export function useStreamState(): StreamState {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => state,
  );
}

/** Mounted once by the shell. The patches keep the cache of queries current, on every screen: what is not shown now may be shown next. */
export function LiveUpdates({ patches }: { readonly patches: readonly EventHandler[] }) {
  const queries = useQueryClient();
  useEffect(() => startLive(queries, patches), [queries, patches]);
  return null;
}
