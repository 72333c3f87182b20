import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, must } from './client';
import type { ServiceEvent } from './event-stream';
import { refresh } from './refresh';

const MAX_CHOICES = 100;
const TEAMS = ['teams'];

/** The teams that a person can choose from, by name. */
export const teamsQuery = queryOptions({
  queryKey: [...TEAMS, 'choices'],
  queryFn: async ({ signal }) => {
    const query = { sort: 'name', order: 'asc', limit: MAX_CHOICES, cursor: '' } as const;
    return (await must(api.GET('/teams', { params: { query }, signal }))).data;
  },
});

/** A conversation with a team that is not known names one that was made or renamed since. */
export function refreshTeams({ name, data }: ServiceEvent, queries: QueryClient): void {
  if (name !== 'conversation.created' && name !== 'conversation.updated') return;
  const known = queries.getQueryData(teamsQuery.queryKey);
  if (typeof data.team !== 'string' || known === undefined) return;
  // Of more teams than there are choices, many are not known.
  if (known.length < MAX_CHOICES && !known.some((team) => team.name === data.team)) refresh(queries, TEAMS);
}
