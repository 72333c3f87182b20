import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must, type Schemas } from '../../api/client';
import type { ServiceEvent } from '../../api/event-stream';
import { patchQueries, refresh } from '../../api/refresh';

export type Protocol = Schemas['Protocol'];
export type Connection = Schemas['Connection'];
export type ConfigField = Protocol['config_schema']['settings'][number];

/** A workspace has at most 100 connections, and an installation fewer adapters. */
const ALL = { limit: 100, cursor: '' };
const CONNECTIONS = ['connections'];
const COUNTERS_MS = 15_000;

export const protocolsQuery = queryOptions({
  queryKey: ['protocols'],
  queryFn: async ({ signal }): Promise<Protocol[]> =>
    (await must(api.GET('/openapi/protocols', { params: { query: ALL }, signal }))).data,
  staleTime: Number.POSITIVE_INFINITY,
});

export const connectionsQuery = queryOptions({
  queryKey: CONNECTIONS,
  queryFn: async ({ signal }): Promise<Connection[]> =>
    (await must(api.GET('/openapi/platforms/connections', { params: { query: ALL }, signal }))).data,
  // Changes of the counters do not produce an event.
  refetchInterval: COUNTERS_MS,
});

const STATES = new Set(['platform.connected', 'platform.disconnected', 'platform.error', 'platform.gap']);

/** Updates the cache when an event reports a change of state. */
export function patchConnections({ name, data }: ServiceEvent, queries: QueryClient): void {
  if (!STATES.has(name)) return;
  const changed = data as unknown as Connection;
  patchQueries<Connection[]>(queries, connectionsQuery.queryKey, (old) =>
    old.map((one) => (one.id === changed.id ? { ...one, ...changed } : one)),
  );
  refresh(queries, CONNECTIONS);
}

export interface ConnectionBody {
  readonly name?: string;
  readonly enabled?: boolean;
  readonly credentials?: Record<string, unknown>;
  readonly settings?: Record<string, unknown>;
}

const byId = (id: string) => ({ params: { path: { id } } });

function useConnectionChange<Variables, Result>(change: (variables: Variables) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: CONNECTIONS }),
  });
}

export const useConnect = (platform: string) =>
  useConnectionChange((body: ConnectionBody & { readonly name: string }) =>
    must(
      api.POST('/openapi/platforms/{platform}/connections', {
        params: { path: { platform } },
        body: body as never,
      }),
    ),
  );

export const useChangeConnection = (id: string) =>
  useConnectionChange((body: ConnectionBody) =>
    must(api.PATCH('/openapi/platforms/connections/{id}', { ...byId(id), body: body as never })),
  );

export const useDeleteConnection = (id: string) =>
  useConnectionChange(async (_: undefined) => {
    await must(api.DELETE('/openapi/platforms/connections/{id}', byId(id)));
  });

export const useReconnect = (id: string) =>
  useConnectionChange((_: undefined) =>
    must(api.POST('/openapi/platforms/connections/{id}/reconnect', byId(id))),
  );

export const useTest = (id: string) =>
  useConnectionChange((_: undefined) => must(api.POST('/openapi/platforms/connections/{id}/test', byId(id))));
