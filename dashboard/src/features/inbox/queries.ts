import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import { filterOf, type Selection } from './views';

const CONVERSATIONS_PAGE = 30;

export const conversationsQuery = (selection: Selection, userId: string) =>
  infiniteQueryOptions({
    queryKey: ['conversations', selection, userId],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = {
        filter: filterOf(selection, userId),
        sort: 'last_message_at',
        limit: CONVERSATIONS_PAGE,
        cursor: pageParam,
      } as const;
      return must(api.GET('/openapi/conversations', { params: { query }, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
  });

/** By its number, which is in the address of the page. */
export const conversationQuery = (number: number) =>
  queryOptions({
    queryKey: ['conversation', number],
    queryFn: ({ signal }) =>
      must(api.GET('/openapi/conversations/{id}', { params: { path: { id: String(number) } }, signal })),
  });

const MESSAGES_PAGE = 50;

/** The newest first, page by page into the past. */
export const messagesQuery = (conversationId: string) =>
  infiniteQueryOptions({
    queryKey: ['messages', conversationId],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { conversation_id: conversationId, limit: MESSAGES_PAGE, cursor: pageParam };
      return must(api.GET('/openapi/messages', { params: { query }, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
  });
