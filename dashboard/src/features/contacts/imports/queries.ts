import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must } from '../../../api/client';
import type { ContactImport, ImportMapping, ImportRow } from '../../../api/import-paths';

const IMPORTS = 'contact-imports';
const PAGE = 50;
const POLL_MS = 1_000;
/** Number of rows that show the contents of a column. */
const SAMPLES = 3;

export type RowFilter = 'all' | NonNullable<ImportRow['result']> | 'kept';

/** Whether a worker is processing the import. */
export const isWorking = ({ status }: ContactImport): boolean => status === 'running' || status === 'undoing';

export const importsQuery = infiniteQueryOptions({
  queryKey: [IMPORTS],
  initialPageParam: '',
  queryFn: ({ pageParam, signal }) => {
    const query = { limit: PAGE, cursor: pageParam };
    return must(api.GET('/contact-imports', { params: { query }, signal }));
  },
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
});

/** An import. Reloaded while it is in progress. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: [IMPORTS, id],
    queryFn: ({ signal }) => must(api.GET('/contact-imports/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data } }) => data !== undefined && isWorking(data) && POLL_MS,
  });

export const samplesQuery = (id: string) =>
  queryOptions({
    queryKey: [IMPORTS, id, 'samples'],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { limit: SAMPLES, order: 'asc', cursor: '' } as const };
      return (await must(api.GET('/contact-imports/{id}/rows', { params, signal }))).data;
    },
  });

/** The problems of the rows with a mapping. */
export const previewQuery = (id: string, mapping: ImportMapping) =>
  queryOptions({
    queryKey: [IMPORTS, id, 'preview', mapping],
    queryFn: ({ signal }) =>
      must(api.POST('/contact-imports/{id}/preview', { params: { path: { id } }, body: mapping, signal })),
    retry: false,
  });

/** The rows with their results. Reloaded when the status of the import changes. */
export const rowsQuery = ({ id, status }: ContactImport, shown: RowFilter) =>
  infiniteQueryOptions({
    queryKey: [IMPORTS, id, 'rows', status, shown],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const filter = shown === 'kept' ? ['undo:kept'] : shown === 'all' ? undefined : [`result:${shown}`];
      const query = { limit: PAGE, order: 'asc', cursor: pageParam, ...(filter && { filter }) } as const;
      return must(api.GET('/contact-imports/{id}/rows', { params: { path: { id }, query }, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });

export const failedRowsUrl = (id: string): string => `/dashboard/api/contact-imports/${id}/failed-rows`;

export function useUploadImport() {
  return useMutation({
    mutationFn: (file: File) => {
      const body = new FormData();
      body.set('file', file);
      return must(api.POST('/contact-imports', { body }));
    },
  });
}

/** Changes an import and reloads it. This includes a rejected change, because another tab may have changed the import first. */
function useImportChange<Variables>(change: (variables: Variables) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: [IMPORTS] }),
  });
}

export const useStartImport = (id: string) =>
  useImportChange((body: ImportMapping) =>
    must(api.POST('/contact-imports/{id}/start', { params: { path: { id } }, body })),
  );

export const useUndoImport = (id: string) =>
  useImportChange((_: undefined) =>
    must(api.POST('/contact-imports/{id}/undo', { params: { path: { id } }, body: {} })),
  );

/** A deleted import cannot be loaded. */
export function useDeleteImport(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (_: undefined) => {
      await must(api.DELETE('/contact-imports/{id}', { params: { path: { id } } }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [IMPORTS], exact: true }),
  });
}
