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

/** By the conversation number in the URL. */
export const conversationQuery = (number: number) =>
  queryOptions({
    queryKey: ['conversation', number],
    queryFn: ({ signal }) =>
      must(api.GET('/openapi/conversations/{id}', { params: { path: { id: String(number) } }, signal })),
  });

const MAX_CHOICES = 100;

/** The connections offered for selection. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections', 'choices'],
  queryFn: async ({ signal }) => {
    const query = { limit: MAX_CHOICES, cursor: '' };
    return (await must(api.GET('/openapi/platforms/connections', { params: { query }, signal }))).data;
  },
});

/** The members offered for selection, sorted by name. */
export const membersQuery = queryOptions({
  queryKey: ['members', 'names'],
  queryFn: async ({ signal }) => {
    const order = { sort: 'display_name', order: 'asc' } as const;
    const query = { ...order, filter: ['kind:member'], limit: MAX_CHOICES, cursor: '' };
    return (await must(api.GET('/openapi/users', { params: { query }, signal }))).data;
  },
});
