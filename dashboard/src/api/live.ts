import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { ServiceEvent, StreamState } from './event-stream';
import { followTogether } from './shared-stream';

type Handler = (event: ServiceEvent, queries: QueryClient) => void;

const handlers = new Set<Handler>();
const watchers = new Set<() => void>();
let state: StreamState = 'connecting';

function setState(next: StreamState): void {
  state = next;
  for (const watcher of watchers) watcher();
}

/** Follows the service for as long as the page is open, and reads again what it may have missed. */
function startLive(queries: QueryClient): () => void {
  const controller = new AbortController();
  const startedAt = Date.now();
  let isFirst = true;
  void followTogether(
    {
      event: (event) => {
        for (const handler of handlers) handler(event, queries);
      },
      state: setState,
      gap: () => {
        const isOld = isFirst ? (at: number) => at > 0 && at >= startedAt : () => true;
        isFirst = false;
        void queries.invalidateQueries({ predicate: ({ state: { dataUpdatedAt } }) => isOld(dataUpdatedAt) });
      },
    },
    controller.signal,
  );
  return () => controller.abort();
}

/** Calls the handler with each event while the component is shown. The handler patches the cache of queries. */
export function useEvents(handler: Handler): void {
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

/** Mounted once by the shell. */
export function LiveUpdates() {
  const queries = useQueryClient();
  useEffect(() => startLive(queries), [queries]);
  return null;
}
