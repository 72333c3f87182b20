import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import type { ApiKeyChange, NewApiKey } from '../../api/session-paths';

const KEYS_PAGE = 50;

export const keysQuery = infiniteQueryOptions({
  queryKey: ['api-keys'],
  initialPageParam: '',
  queryFn: ({ pageParam, signal }) =>
    must(api.GET('/keys', { params: { query: { limit: KEYS_PAGE, cursor: pageParam } }, signal })),
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
});

const USAGE_MS = 15_000;

/** The number of requests in this hour for each key with a limit. */
export const keyUsageQuery = queryOptions({
  queryKey: ['key-usage'],
  queryFn: async ({ signal }) => {
    const { data } = await must(api.GET('/key-usage', { signal }));
    return new Map(data.map(({ id, requests_this_hour }) => [id, requests_this_hour]));
  },
  refetchInterval: USAGE_MS,
});

/** Changes a key and reloads the list. */
function useKeyChange<Variables, Result>(change: (variables: Variables) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
}

export const useCreateKey = () => useKeyChange((body: NewApiKey) => must(api.POST('/keys', { body })));

export const useChangeKey = (id: string) =>
  useKeyChange((body: ApiKeyChange) => must(api.PATCH('/keys/{id}', { params: { path: { id } }, body })));

export const useRevokeKey = (id: string) =>
  useKeyChange(async (_: undefined) => {
    await must(api.DELETE('/keys/{id}', { params: { path: { id } } }));
  });
