import type { QueryClient } from '@tanstack/react-query';
import { listed } from './live-lists';
import { messagesQuery } from './message-pages';

/** In milliseconds. Hovering over a row loads its messages at most once in this time. */
const FRESH_MS = 5_000;

/** Loads the newest messages of a listed conversation before it is rendered. */
export function preloadMessages(queries: QueryClient, number: number): void {
  const conversation = listed(queries, number);
  if (conversation === undefined) return;
  void queries.prefetchInfiniteQuery({ ...messagesQuery(conversation.id), staleTime: FRESH_MS });
}
