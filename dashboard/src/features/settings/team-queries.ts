import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import type { TeamFields } from '../../api/team-paths';

const PAGE = 50;

export const teamListQuery = infiniteQueryOptions({
  queryKey: ['teams', 'list'],
  initialPageParam: '',
  queryFn: ({ pageParam, signal }) => {
    const query = { sort: 'name', order: 'asc', limit: PAGE, cursor: pageParam } as const;
    return must(api.GET('/teams', { params: { query }, signal }));
  },
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
});

/** The people who can be team members, sorted by name. */
export const peopleQuery = infiniteQueryOptions({
  queryKey: ['members', 'people'],
  initialPageParam: '',
  queryFn: ({ pageParam, signal }) => {
    const order = { sort: 'display_name', order: 'asc' } as const;
    const query = { ...order, filter: ['kind:member'], limit: PAGE, cursor: pageParam };
    return must(api.GET('/openapi/users', { params: { query }, signal }));
  },
  getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
});

/** Conversations show the name of their team, so they are reloaded too. */
function useTeamChange<Variables, Result>(change: (variables: Variables) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all(
        ['teams', 'conversations', 'conversation'].map((key) =>
          queries.invalidateQueries({ queryKey: [key] }),
        ),
      ),
  });
}

/** Creates a team, or changes the one with this id. */
export const useSaveTeam = (id: string | undefined) =>
  useTeamChange((body: TeamFields) =>
    id === undefined
      ? must(api.POST('/teams', { body }))
      : must(api.PATCH('/teams/{id}', { params: { path: { id } }, body })),
  );

export const useDeleteTeam = (id: string) =>
  useTeamChange(async (_: undefined) => {
    await must(api.DELETE('/teams/{id}', { params: { path: { id } } }));
  });
