import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { ServiceEvent, StreamState } from './event-stream';
import { refreshAll } from './refresh';
import { sessionQuery, useSession } from './session';
import { followTogether } from './shared-stream';

export type EventHandler = (event: ServiceEvent, queries: QueryClient) => void;

const handlers = new Set<EventHandler>();
const watchers = new Set<() => void>();
let state: StreamState = 'connecting';

function setState(next: StreamState): void {
  state = next;
  for (const watcher of watchers) watcher();
}

/** Follows the event stream while the page is open, and reloads data that may have missed events. */
function startLive(queries: QueryClient, patches: readonly EventHandler[]): () => void {
  const controller = new AbortController();
  let wasOpen = false;
  void followTogether(
    {
      event: (event) => {
        for (const handler of [...patches, ...handlers]) handler(event, queries);
      },
      state: (next) => {
        setState(next);
        // The user's access may have changed while the stream was disconnected.
        if (next === 'open' && wasOpen) void queries.invalidateQueries(sessionQuery);
        wasOpen ||= next === 'open';
      },
      // The first stream has a gap as well: what was loaded before it started may have changed since.
      gap: () => refreshAll(queries),
      lost: () => forget(queries),
    },
    controller.signal,
  );
  return () => controller.abort();
}

/** Drops loaded data, because the user may no longer see all of it. Shown data is reloaded. */
function forget(queries: QueryClient): void {
  const [session] = sessionQuery.queryKey;
  const isRead = ({ queryKey }: Query): boolean => queryKey[0] !== session;
  queries.removeQueries({ type: 'inactive', predicate: isRead });
  void queries.resetQueries({ type: 'active', predicate: isRead });
  void queries.invalidateQueries(sessionQuery);
}

/** Calls the handler with each event while the component is mounted. LiveUpdates keeps the query cache current. */
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

/**
 * Mounted once by the shell. The patches keep the query cache current on every screen, because data that is not shown now may be
 * shown next.
 */
export function LiveUpdates({ patches }: { readonly patches: readonly EventHandler[] }) {
  const queries = useQueryClient();
  const { view } = useSession();
  const known = useRef(view);
  useEffect(() => startLive(queries, patches), [queries, patches]);
  useEffect(() => {
    if (known.current !== view) forget(queries);
    known.current = view;
  }, [queries, view]);
  return null;
}
