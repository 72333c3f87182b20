import { type QueryClient, queryOptions, useQueries, useQueryClient } from '@tanstack/react-query';
import type { BroadcastProgress } from '../../api/broadcast-paths';
import { api, must } from '../../api/client';
import { patchQueries } from '../../api/refresh';
import { BROADCASTS, type Broadcast, isMoving, newer, type Pages, patched } from './queries';

/** Counts change without an event of the broadcast. */
const COUNTS_MS = 2_000;

/** Reads how far broadcasts are, as long as they move. The whole records have their audiences, which take megabytes. */
export function useLiveProgress(broadcasts: readonly Broadcast[]): void {
  const queries = useQueryClient();
  useQueries({
    queries: broadcasts.filter(isMoving).map(({ id }) => progressQuery(queries, id)),
    // No screen shows these results: they change the records.
    combine: () => null,
  });
}

const progressQuery = (queries: QueryClient, id: string) =>
  queryOptions({
    queryKey: ['broadcast-progress', id],
    queryFn: async ({ signal }) => {
      const progress = await must(api.GET('/broadcasts/{id}/progress', { params: { path: { id } }, signal }));
      patchProgress(queries, progress);
      return progress.updated_at;
    },
    refetchInterval: COUNTS_MS,
    gcTime: 0,
  });

export function patchProgress(queries: QueryClient, progress: BroadcastProgress): void {
  patchQueries<Broadcast>(queries, ['broadcast', progress.id], (old) => newer(old, progress));
  patchQueries<Pages>(queries, BROADCASTS, (old) => patched(old, progress));
}
