import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, must } from '../../api/client';

/** Number of ids that fit into one filter. */
const PAGE = 20;

const NOT_ARRIVED = 'status:failed|expired|uncertain';

/** Conversations with failed or uncertain deliveries, ordered by the newest such delivery. */
export const failuresQuery = infiniteQueryOptions({
  queryKey: ['failures'],
  initialPageParam: '',
  queryFn: async ({ pageParam, signal }) => {
    const query = { filter: [NOT_ARRIVED], limit: PAGE, cursor: pageParam };
    const { data, pagination } = await must(api.GET('/openapi/deliveries', { params: { query }, signal }));
    const ids = [...new Set(data.map(({ conversation_id }) => conversation_id))];
    if (ids.length === 0) return { data: [], pagination };
    const byId = { filter: [`id:${ids.join('|')}`], limit: PAGE, cursor: '' };
    const found = await must(api.GET('/openapi/conversations', { params: { query: byId }, signal }));
    const conversations = new Map(found.data.map((each) => [each.id, each]));
    return { data: ids.flatMap((id) => conversations.get(id) ?? []), pagination };
  },
  getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
});

/** The number of failed or uncertain deliveries. */
export async function countFailures(signal: AbortSignal): Promise<number> {
  const query = { filter: [NOT_ARRIVED], limit: 1 };
  const { meta } = await must(api.GET('/openapi/deliveries', { params: { query }, signal }));
  return meta?.total_items ?? 0;
}
