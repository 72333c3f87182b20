import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { BroadcastProgress, PlatformCount } from '../../api/broadcast-paths';
import { api, must, type Schemas } from '../../api/client';
import type { ServiceEvent } from '../../api/event-stream';
import { patchQueries, refresh } from '../../api/refresh';

export type Broadcast = Schemas['Broadcast'];
export type Recipient = Schemas['BroadcastRecipient'];
export type DryRun = Schemas['DryRun'];
export type Move = 'start' | 'pause' | 'resume' | 'retry';

export interface RecipientFilter {
  readonly status: Recipient['status'] | '';
  readonly platform: string;
  readonly reason: NonNullable<Recipient['skip_reason']> | '';
}

const PAGE = 50;
const RECIPIENTS = 20;
const PLATFORMS_MS = 5_000;
/** From this number of recipients, counting by platform is slow and runs less often. */
const MANY = 100_000;
export const BROADCASTS = ['broadcasts'];
const GROUPS = ['broadcast-platforms'];
const ALL_RECIPIENTS = ['broadcast-recipients'];
/** The counts by platform and the recipients, of all broadcasts. */
export const RESULTS = [GROUPS, ALL_RECIPIENTS];

const MOVING = new Set<Broadcast['status']>(['preparing', 'sending', 'canceling']);
const CHANGEABLE = new Set<Broadcast['status']>(['draft', 'scheduled']);
const FINAL = new Set<Broadcast['status']>(['completed', 'expired', 'failed', 'canceled']);

/** Whether the counts change without user action. */
export const isMoving = ({ status }: Pick<Broadcast, 'status'>): boolean => MOVING.has(status);
/** Whether its content, recipients and time may still change. */
export const isChangeable = ({ status }: Pick<Broadcast, 'status'>): boolean => CHANGEABLE.has(status);
/** Whether the message can be resent to failed recipients. */
export const isRetryable = ({ status, counts }: Broadcast): boolean =>
  FINAL.has(status) && status !== 'canceled' && counts.failed > 0;
/** The start on the clock of each recipient. Null if all have the same moment. */
export const localStart = (schedule: Broadcast['schedule']): string | null =>
  schedule?.mode === 'recipient_local' ? (schedule.local_time ?? schedule.at?.slice(0, 16) ?? null) : null;
export const isFinal = ({ status }: Pick<Broadcast, 'status'>): boolean => FINAL.has(status);

export const broadcastsQuery = (status: Broadcast['status'] | '') =>
  infiniteQueryOptions({
    queryKey: [...BROADCASTS, status],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { filter: status === '' ? [] : [`status:${status}`], limit: PAGE, cursor: pageParam };
      return must(api.GET('/openapi/broadcasts', { params: { query }, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
  });

export const broadcastQuery = (id: string) =>
  queryOptions({
    queryKey: ['broadcast', id],
    queryFn: ({ signal }) => must(api.GET('/openapi/broadcasts/{id}', { params: { path: { id } }, signal })),
  });

export const platformCountsQuery = (broadcast: Broadcast) =>
  queryOptions({
    queryKey: [...GROUPS, broadcast.id],
    queryFn: async ({ signal }): Promise<PlatformCount[]> => {
      const params = { path: { id: broadcast.id } };
      return (await must(api.GET('/broadcasts/{id}/platforms', { params, signal }))).data;
    },
    refetchInterval: isMoving(broadcast) ? PLATFORMS_MS * (broadcast.counts.total > MANY ? 6 : 1) : false,
  });

export function clausesOf({ status, platform, reason }: RecipientFilter): string[] {
  return [
    ...(status === '' ? [] : [`status:${status}`]),
    ...(platform === '' ? [] : [`platform:${platform}`]),
    ...(reason === '' ? [] : [`skip_reason:${reason}`]),
  ];
}

export const recipientsQuery = (broadcast: Broadcast, filter: RecipientFilter) =>
  infiniteQueryOptions({
    queryKey: [...ALL_RECIPIENTS, broadcast.id, filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { filter: clausesOf(filter), limit: RECIPIENTS, cursor: pageParam };
      const params = { path: { id: broadcast.id }, query };
      return must(api.GET('/openapi/broadcasts/{id}/recipients', { params, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
    refetchInterval: isMoving(broadcast) ? PLATFORMS_MS : false,
  });

/** URL of the filtered recipients as CSV. */
export function exportUrl(id: string, filter: RecipientFilter): string {
  const clauses = clausesOf(filter);
  const query = clauses.length === 0 ? '' : `?filter=${encodeURIComponent(clauses.join(','))}`;
  return `/dashboard/api/broadcasts/${id}/recipients/export${query}`;
}

export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['broadcast-message', id],
    queryFn: ({ signal }) => must(api.GET('/openapi/messages/{id}', { params: { path: { id } }, signal })),
  });

/** The recipients that a broadcast would reach if it started now. Attachments do not affect the figures. */
export const dryRunQuery = (broadcast: Broadcast) =>
  queryOptions({
    queryKey: ['broadcast-dry-run', broadcast.id, broadcast.updated_at],
    queryFn: async ({ signal }) => {
      const params = { query: { dry_run: 'true' as const } };
      const body = dryRunBody(broadcast) as never;
      const answer = await must(api.POST('/openapi/broadcasts', { params, body, signal }));
      return answer as unknown as DryRun;
    },
    gcTime: 0,
  });

export function dryRunBody(broadcast: Broadcast) {
  const { text, template_id: template, content_type, category, variables, variants, platforms } = broadcast;
  const { audience, fallback, throttle } = broadcast;
  return {
    ...(text === null ? { template_id: template } : { text, content_type }),
    category,
    variables,
    variants: variants.map(({ key, weight, text: own }) => ({
      key,
      weight,
      ...(own != null && { text: own }),
    })),
    platforms,
    audience,
    ...(fallback !== null && { fallback }),
    ...(throttle !== null && { throttle }),
  };
}

export type Pages = InfiniteData<{ data: Broadcast[] }, string>;

/** Updates the cache when an event reports a change of a broadcast. */
export function patchBroadcasts({ name, data }: ServiceEvent, queries: QueryClient): void {
  if (!name.startsWith('broadcast.')) return;
  const one = ['broadcast', String(data.id)];
  if (data.truncated !== true) {
    const changed = data as unknown as Broadcast;
    patchQueries<Broadcast>(queries, one, (old) => newer(old, changed));
    patchQueries<Pages>(queries, BROADCASTS, (old) => patched(old, changed));
  }
  for (const queryKey of [one, BROADCASTS, ...RESULTS]) refresh(queries, queryKey);
}

/** An event may arrive after a response that is newer. */
export function newer(old: Broadcast, changed: Broadcast | BroadcastProgress): Broadcast {
  return old.updated_at > changed.updated_at ? old : { ...old, ...changed };
}

export function patched(old: Pages, changed: Broadcast | BroadcastProgress): Pages {
  const data = (rows: Broadcast[]) => rows.map((row) => (row.id === changed.id ? newer(row, changed) : row));
  return { ...old, pages: old.pages.map((page) => ({ ...page, data: data(page.data) })) };
}

function useBroadcastChange<Variables, Result>(
  id: string,
  change: (variables: Variables) => Promise<Result>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all(
        [['broadcast', id], BROADCASTS, ...RESULTS].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

const byId = (id: string) => ({ params: { path: { id } } });

export const useMove = (id: string) =>
  useBroadcastChange(id, (move: Move) => {
    if (move === 'start') return must(api.POST('/openapi/broadcasts/{id}/start', byId(id)));
    if (move === 'retry') return must(api.POST('/openapi/broadcasts/{id}/retry', byId(id)));
    if (move === 'pause') return must(api.POST('/openapi/broadcasts/{id}/pause', byId(id)));
    return must(api.POST('/openapi/broadcasts/{id}/resume', byId(id)));
  });

export const useCancel = (id: string) =>
  useBroadcastChange(id, async (_: undefined) => {
    await must(api.DELETE('/openapi/broadcasts/{id}', byId(id)));
  });
