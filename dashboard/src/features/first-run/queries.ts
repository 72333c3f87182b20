import { queryOptions } from '@tanstack/react-query';
import { api, must } from '../../api/client';

const FIRST = { limit: 20, cursor: '' };

export const platformsQuery = queryOptions({
  queryKey: ['platforms', 'first-run'],
  queryFn: async ({ signal }) =>
    (await must(api.GET('/openapi/platforms', { params: { query: FIRST }, signal }))).data,
});

/** The number of the newest conversation. Null if there is none. */
export const newestConversationQuery = queryOptions({
  queryKey: ['conversations', 'newest'],
  queryFn: async ({ signal }) => {
    const query = { limit: 1, cursor: '' };
    const { data } = await must(api.GET('/openapi/conversations', { params: { query }, signal }));
    return data[0]?.number ?? null;
  },
});
