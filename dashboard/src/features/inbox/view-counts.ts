import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import type { ServiceEvent } from '../../api/event-stream';
import { refresh } from '../../api/refresh';
import { countFailures } from './failures';
import { filterOf, type Selection, type View } from './views';

/** The number of conversations in each view. The service counts, so that every tab shows the same number. */
export const viewCountQuery = (selection: Selection, view: View, userId: string) =>
  queryOptions({
    queryKey: ['view count', view, view === 'failures' ? '' : { ...selection, view }, userId],
    queryFn: async ({ signal }) => {
      if (view === 'failures') return countFailures(signal);
      const query = { filter: filterOf({ ...selection, view }, userId), limit: 1 };
      const { meta } = await must(api.GET('/openapi/conversations', { params: { query }, signal }));
      return meta?.total_items ?? 0;
    },
  });

/** Reloads the counts after an event that may change them. */
export function recount({ name }: ServiceEvent, queries: QueryClient): void {
  if (name.startsWith('conversation.')) refresh(queries, ['view count']);
  if (!name.startsWith('delivery.') && name !== 'message.failed') return;
  refresh(queries, ['view count']);
  refresh(queries, ['failures']);
}
