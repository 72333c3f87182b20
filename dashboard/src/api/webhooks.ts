import { queryOptions } from '@tanstack/react-query';
import { api, must, type Schemas } from './client';

/** A workspace has at most 50 webhooks. */
const ALL = { limit: 50, cursor: '' };
/** The first part of the query keys of webhooks. */
export const WEBHOOKS = ['webhooks'];

export const webhooksQuery = queryOptions({
  queryKey: WEBHOOKS,
  queryFn: async ({ signal }): Promise<Schemas['Webhook'][]> =>
    (await must(api.GET('/api/webhooks', { params: { query: ALL }, signal }))).data,
});
