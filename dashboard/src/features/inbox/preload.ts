import type { QueryClient } from '@tanstack/react-query';
import { listed } from './live-lists';
import { messagesQuery } from './message-pages';

/** A pointer that rests on rows asks for each once in this time; in milliseconds. */
const FRESH_MS = 5_000;

/** Asks for the newest messages of a conversation that a list shows, before anything of it is drawn. */
export function preloadMessages(queries: QueryClient, number: number): void {
  const conversation = listed(queries, number);
  if (conversation === undefined) return;
  void queries.prefetchInfiniteQuery({ ...messagesQuery(conversation.id), staleTime: FRESH_MS });
}
