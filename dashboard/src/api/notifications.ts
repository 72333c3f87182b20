import { queryOptions } from '@tanstack/react-query';
import { api, must } from './client';

/** The user's settings for sounds and push notifications. Loaded when a sound may be needed. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => must(api.GET('/notifications', { signal })),
  staleTime: 60_000,
});
