import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, must } from './client';
import type { ServiceEvent } from './event-stream';
import { refresh } from './refresh';

const MAX_CHOICES = 100;
const TEAMS = ['teams'];

/** The teams offered for selection, sorted by name. */
export const teamsQuery = queryOptions({
  queryKey: [...TEAMS, 'choices'],
  queryFn: async ({ signal }) => {
    const query = { sort: 'name', order: 'asc', limit: MAX_CHOICES, cursor: '' } as const;
    return (await must(api.GET('/teams', { params: { query }, signal }))).data;
  },
});

/** Reloads the teams when a conversation names an unknown team, which was created or renamed since the last load. */
export function refreshTeams({ name, data }: ServiceEvent, queries: QueryClient): void {
  if (name !== 'conversation.created' && name !== 'conversation.updated') return;
  const known = queries.getQueryData(teamsQuery.queryKey);
  if (typeof data.team !== 'string' || known === undefined) return;
  // A full list may be incomplete, so an unknown team is normal then.
  if (known.length < MAX_CHOICES && !known.some((team) => team.name === data.team)) refresh(queries, TEAMS);
}
