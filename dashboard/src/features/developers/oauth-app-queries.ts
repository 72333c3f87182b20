import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import type { NewOAuthApp, OAuthAppChange } from '../../api/developer-paths';

/** A workspace has at most 50 apps. */
const APPS_PAGE = 50;

export const appsQuery = infiniteQueryOptions({
  queryKey: ['oauth-apps'],
  initialPageParam: '',
  queryFn: ({ pageParam, signal }) =>
    must(api.GET('/oauth-apps', { params: { query: { limit: APPS_PAGE, cursor: pageParam } }, signal })),
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
});

const GRANTS_PAGE = 50;
const grantsKey = (appId: string) => ['app-grants', appId];

/** The members that have authorized an app. */
export const appGrantsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: grantsKey(id),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { id }, query: { limit: GRANTS_PAGE, cursor: pageParam } };
      return must(api.GET('/oauth-apps/{id}/grants', { params, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });

export function useRevokeAppGrant(appId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => {
      await must(api.DELETE('/oauth-app-grants/{id}', byId(id)));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: grantsKey(appId) }),
  });
}

const byId = (id: string) => ({ params: { path: { id } } });

/** Changes an app and reloads the list. */
function useAppChange<Variables, Result>(change: (variables: Variables) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: appsQuery.queryKey }),
  });
}

export const useCreateApp = () =>
  useAppChange((body: NewOAuthApp) => must(api.POST('/oauth-apps', { body })));

export const useChangeApp = (id: string) =>
  useAppChange((body: OAuthAppChange) => must(api.PATCH('/oauth-apps/{id}', { ...byId(id), body })));

export const useRotateAppSecret = (id: string) =>
  useAppChange((_: undefined) => must(api.POST('/oauth-apps/{id}/rotate-secret', byId(id))));

export const useDeleteApp = (id: string) =>
  useAppChange(async (_: undefined) => {
    await must(api.DELETE('/oauth-apps/{id}', byId(id)));
  });
