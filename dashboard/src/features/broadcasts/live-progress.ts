import { type QueryClient, queryOptions, useQueries, useQueryClient } from '@tanstack/react-query';
import type { BroadcastProgress } from '../../api/broadcast-paths';
import { api, must } from '../../api/client';
import { patchQueries, refresh } from '../../api/refresh';
import { BROADCASTS, type Broadcast, isMoving, newer, type Pages, patched, RESULTS } from './queries';

/** Changes of the counts do not produce an event. */
const COUNTS_MS = 2_000;

/** Reloads the progress of active broadcasts. The full records include their audiences, which can be megabytes. */
export function useLiveProgress(broadcasts: readonly Broadcast[]): void {
  const queries = useQueryClient();
  useQueries({
    queries: broadcasts.filter(isMoving).map(({ id }) => progressQuery(queries, id)),
    // No screen shows these results, because they update the cached records.
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
  // The other tables stop reloading now. The event of the end may arrive later.
  if (!isMoving(progress)) for (const queryKey of RESULTS) refresh(queries, queryKey);
}
