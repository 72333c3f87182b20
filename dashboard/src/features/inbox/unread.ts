import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import type { ServiceEvent } from '../../api/event-stream';
import { refresh } from '../../api/refresh';
import { useSession } from '../../api/session';

/** The maximum page size of the service. A larger number of unread conversations is shown as "99+". */
const LOOKED_AT = 100;
const MAX_SHOWN = 99;

const unreadQuery = (userId: string) =>
  queryOptions({
    queryKey: ['unread', userId],
    queryFn: async ({ signal }) => {
      const filter = ['status:open', `assignee_id:${userId}|null`];
      const query = { filter, sort: 'last_message_at' as const, limit: LOOKED_AT, cursor: '' };
      const { data } = await must(api.GET('/openapi/conversations', { params: { query }, signal }));
      return data.filter(({ unread_count }) => unread_count > 0).length;
    },
  });

/**
 * Open conversations with unread messages that are assigned to the user or unassigned. The service counts, so that every tab
 * shows the same number.
 */
export function useUnread(): string {
  const { user } = useSession();
  const { data = 0 } = useQuery(unreadQuery(user.id));
  if (data === 0) return '';
  return data > MAX_SHOWN ? `${MAX_SHOWN}+` : String(data);
}

const CHANGES = /^(message\.(created|read|deleted)|conversation\.)/;

export function recountUnread({ name }: ServiceEvent, queries: QueryClient): void {
  if (CHANGES.test(name)) refresh(queries, ['unread']);
}
