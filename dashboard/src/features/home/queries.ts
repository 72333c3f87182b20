import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import type { ServiceEvent } from '../../api/event-stream';
import type { Home } from '../../api/home-paths';
import { patchQueries, refresh } from '../../api/refresh';

const HOME = ['home'];
/** Waiting deliveries and webhook attempts change without an event. */
const REFRESH_MS = 15_000;

export const homeQuery = queryOptions({
  queryKey: HOME,
  queryFn: ({ signal }): Promise<Home> => must(api.GET('/home', { signal })),
  refetchInterval: REFRESH_MS,
});

const CONNECTIONS = /^platform\./;
const FIGURES = /^(message|delivery|webhook|conversation)\./;

/** Updates a connection when its state changes, and reloads the figures. */
export function patchHome({ name, data }: ServiceEvent, queries: QueryClient): void {
  if (CONNECTIONS.test(name)) {
    patchQueries<Home>(queries, HOME, (home) =>
      withConnection(home, data as Partial<Home['connections'][0]>),
    );
    refresh(queries, HOME);
  } else if (FIGURES.test(name)) refresh(queries, HOME);
}

function withConnection(home: Home, changed: Partial<Home['connections'][0]>): Home {
  const { status, health } = changed;
  if (status === undefined || health === undefined) return home;
  const connections = home.connections.map((one) =>
    one.id === changed.id ? { ...one, status, health } : one,
  );
  return { ...home, connections };
}
