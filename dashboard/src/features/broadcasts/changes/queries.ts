import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { BroadcastChange, ChangedRecipient, ChangeKind } from '../../../api/broadcast-paths';
import { api, must } from '../../../api/client';
import type { ServiceEvent } from '../../../api/event-stream';
import { refresh } from '../../../api/refresh';

const CHANGES = ['broadcast-changes'];
const RESULTS = ['broadcast-change-results'];
const PAGE = 20;
/** Responses of platforms do not produce an event. */
const POLL_MS = 2_000;

export type ResultFilter = NonNullable<ChangedRecipient['result']> | '';

export const isRunning = ({ status }: BroadcastChange): boolean =>
  status === 'running' || status === 'stopping';

export const changesQuery = (id: string) =>
  queryOptions({
    queryKey: [...CHANGES, id],
    queryFn: async ({ signal }): Promise<BroadcastChange[]> =>
      (await must(api.GET('/broadcasts/{id}/changes', { params: { path: { id } }, signal }))).data,
    refetchInterval: ({ state: { data } }) => (data?.some(isRunning) ? POLL_MS : false),
  });

export const changePreviewQuery = (id: string, kind: ChangeKind) =>
  queryOptions({
    queryKey: ['broadcast-change-preview', id, kind],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { kind } };
      return must(api.GET('/broadcasts/{id}/changes/preview', { params, signal }));
    },
    gcTime: 0,
  });

/** The recipients with their results. Reloaded while the change is running. */
export const resultsQuery = (change: BroadcastChange, result: ResultFilter) =>
  infiniteQueryOptions({
    queryKey: [...RESULTS, change.id, change.status, result],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const filter = result === '' ? [] : [`result:${result}`];
      const params = { path: { id: change.id }, query: { filter, limit: PAGE, cursor: pageParam } };
      return must(api.GET('/broadcast-changes/{id}/recipients', { params, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    refetchInterval: isRunning(change) ? POLL_MS : false,
  });

/** An edited or deleted message may belong to a running change. */
export function followChanges({ name }: ServiceEvent, queries: QueryClient): void {
  if (name !== 'message.updated' && name !== 'message.deleted') return;
  const loaded = queries.getQueriesData<BroadcastChange[]>({ queryKey: CHANGES });
  for (const [queryKey, changes] of loaded) if (changes?.some(isRunning)) refresh(queries, queryKey);
}

function useAfterwards(broadcastId: string) {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [...CHANGES, broadcastId] });
}

export function useStartChange(id: string, kind: ChangeKind) {
  const onSettled = useAfterwards(id);
  return useMutation({
    mutationFn: (text: string | undefined) => {
      const body = { kind, ...(text !== undefined && { text }) };
      return must(api.POST('/broadcasts/{id}/changes', { params: { path: { id } }, body }));
    },
    onSettled,
  });
}

export function useStopChange({ id, broadcast_id: broadcastId }: BroadcastChange) {
  const onSettled = useAfterwards(broadcastId);
  return useMutation({
    mutationFn: () => must(api.POST('/broadcast-changes/{id}/stop', { params: { path: { id } } })),
    onSettled,
  });
}
