import { queryOptions } from '@tanstack/react-query';
import { api, must } from './client';

/** What the person chose about sounds and pushes. Read when something may sound. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => must(api.GET('/notifications', { signal })),
  staleTime: 60_000,
});
