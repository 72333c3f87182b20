import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must, type Schemas } from '../../../api/client';

export type Segment = Schemas['Segment'];

const PAGE = 50;
/** Query key prefix, shared with the composer. */
const SEGMENTS = ['segments'];

export const segmentListQuery = infiniteQueryOptions({
  queryKey: [...SEGMENTS, 'list'],
  initialPageParam: '',
  queryFn: ({ pageParam, signal }) => {
    const query = { sort: 'name', order: 'asc', limit: PAGE, cursor: pageParam } as const;
    return must(api.GET('/openapi/segments', { params: { query }, signal }));
  },
  getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
});

function useSegmentChange<Variables, Result>(change: (variables: Variables) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: SEGMENTS }),
  });
}

export interface NewSegment {
  readonly name: string;
  /** A file of recipients, or the filter that finds them. */
  readonly source: File | string;
}

export const useCreateSegment = () =>
  useSegmentChange(({ name, source }: NewSegment) => {
    if (typeof source === 'string')
      return must(api.POST('/openapi/segments', { body: { name, filter: source } as never }));
    const body = new FormData();
    body.set('name', name);
    body.set('file', source);
    return must(api.POST('/openapi/segments', { body: body as never, bodySerializer: () => body }));
  });

const byId = (id: string) => ({ params: { path: { id } } });

export const useChangeSegment = (id: string) =>
  useSegmentChange((body: { readonly name: string; readonly filter?: string }) =>
    must(api.PATCH('/openapi/segments/{id}', { ...byId(id), body: body as never })),
  );

export const useDeleteSegment = (id: string) =>
  useSegmentChange(async (_: undefined) => {
    await must(api.DELETE('/openapi/segments/{id}', byId(id)));
  });
