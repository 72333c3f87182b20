import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must, type Schemas } from '../../api/client';
import { WEBHOOKS } from '../../api/webhooks';

export type Webhook = Schemas['Webhook'];
export type WebhookDelivery = Schemas['WebhookDelivery'];

export interface WebhookBody {
  readonly url: string;
  readonly events: string[];
  readonly description: string | null;
}

const DELIVERIES_PAGE = 25;
const PENDING_MS = 3_000;

/** The deliveries of a webhook. The list is reloaded while a delivery is in progress. */
export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['webhook-deliveries', id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: DELIVERIES_PAGE, cursor: pageParam };
      return must(api.GET('/api/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ status }) => status === 'pending'))
        ? PENDING_MS
        : false,
  });

/** The responses of the receiver. Reloaded after each attempt. */
export const answersQuery = ({ id, attempts }: WebhookDelivery) =>
  queryOptions({
    queryKey: ['webhook-answers', id, attempts.length],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const path = { params: { path: { id } }, signal };
      const { data } = await must(api.GET('/webhook-deliveries/{id}/answers', path));
      return new Map(data.map(({ at, text }) => [at, text]));
    },
  });

const byId = (id: string) => ({ params: { path: { id } } });

/** Changes a webhook, and reloads it and its deliveries. */
function useWebhookChange<Variables, Result>(change: (variables: Variables) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: WEBHOOKS }),
        queries.invalidateQueries({ queryKey: ['webhook-deliveries'] }),
      ]),
  });
}

export const useCreateWebhook = () =>
  useWebhookChange((body: WebhookBody) => must(api.POST('/api/webhooks', { body: body as never })));

export const useChangeWebhook = (id: string) =>
  useWebhookChange((body: Partial<WebhookBody> & { status?: 'enabled' | 'disabled' }) =>
    must(api.PATCH('/api/webhooks/{id}', { ...byId(id), body: body as never })),
  );

/** The deliveries of a deleted webhook cannot be loaded. */
export function useDeleteWebhook(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (_: undefined) => {
      await must(api.DELETE('/api/webhooks/{id}', byId(id)));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: WEBHOOKS }),
  });
}

export const useTestWebhook = (id: string) =>
  useWebhookChange((_: undefined) => must(api.POST('/api/webhooks/{id}/test', byId(id))));

export const useRotateSecret = (id: string) =>
  useWebhookChange((overlapSeconds: number) =>
    must(
      api.POST('/api/webhooks/{id}/rotate-secret', {
        ...byId(id),
        body: { overlap_seconds: overlapSeconds } as never,
      }),
    ),
  );

export const useRecover = (id: string) =>
  useWebhookChange((since: string) =>
    must(api.POST('/api/webhooks/{id}/recover', { ...byId(id), body: { since } })),
  );

export const useRetryDelivery = (id: string) =>
  useWebhookChange((deliveryId: string) =>
    must(
      api.POST('/api/webhooks/{id}/deliveries/{delivery_id}/retry', {
        params: { path: { id, delivery_id: deliveryId } },
      }),
    ),
  );
