import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import type { ServiceEvent } from '../../api/event-stream';
import { countFailures } from './failures';
import { filterOf, type Selection, type View } from './views';

/** How many each view has. The service counts, so that every tab shows the same. */
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

const GATHER_MS = 500;
const timers = new Map<string, number>();

/** Counts again after what may change a count; a burst of events counts once. */
export function recount({ name }: ServiceEvent, queries: QueryClient): void {
  if (name.startsWith('conversation.')) soon(queries, 'view count');
  if (!name.startsWith('delivery.') && name !== 'message.failed') return;
  soon(queries, 'view count');
  soon(queries, 'failures');
}

function soon(queries: QueryClient, key: string): void {
  if (timers.has(key)) return;
  const later = () => {
    timers.delete(key);
    void queries.invalidateQueries({ queryKey: [key] });
  };
  timers.set(key, window.setTimeout(later, GATHER_MS));
}
