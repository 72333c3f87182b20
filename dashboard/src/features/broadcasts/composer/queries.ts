import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must, type Schemas } from '../../../api/client';
import { BROADCASTS, type Broadcast, type DryRun } from '../queries';
import type { attachmentBodies } from './attached';
import type { bodyOf } from './plan';

export type Segment = Schemas['Segment'];
export type Body = ReturnType<typeof bodyOf>;
/** The stored fields. A dry run omits the files. */
type Sent = Body & { readonly attachments?: ReturnType<typeof attachmentBodies> };

const PAGE_SIZE = 100;
const SEGMENTS = ['segments'];
/** The result of a dry run is soon outdated, because contacts are added and opt out. */
const KEPT_MS = 10_000;

export const platformsQuery = queryOptions({
  queryKey: ['protocols'],
  queryFn: async ({ signal }) =>
    (
      await must(
        api.GET('/openapi/protocols', { params: { query: { limit: PAGE_SIZE, cursor: '' } }, signal }),
      )
    ).data,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The recipients and messages that the service predicts for the broadcast. Nothing is stored. */
export const rehearsalQuery = (body: Body) =>
  queryOptions({
    queryKey: ['broadcast-rehearsal', body],
    queryFn: async ({ signal }) => {
      const params = { query: { dry_run: 'true' as const } };
      const answer = await must(api.POST('/openapi/broadcasts', { params, body: body as never, signal }));
      return answer as unknown as DryRun;
    },
    gcTime: KEPT_MS,
    staleTime: KEPT_MS,
    retry: false,
    placeholderData: keepPreviousData,
  });

/** Creates a draft, or changes an existing one. */
export function useSave(id: string | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Sent): Promise<Broadcast> => {
      const params = { path: { id: id ?? '' } };
      if (id !== undefined)
        return must(api.PATCH('/openapi/broadcasts/{id}', { params, body: body as never }));
      const draft = { ...body, draft: true } as never;
      return (await must(api.POST('/openapi/broadcasts', { body: draft }))) as Broadcast;
    },
    onSuccess: (saved) => {
      queries.setQueryData(['broadcast', saved.id], saved);
      return queries.invalidateQueries({ queryKey: BROADCASTS });
    },
  });
}

/** Stores a list of recipients as a segment, which other broadcasts can also use. */
export function useUploadList() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (file: File) => {
      const body = new FormData();
      body.set('name', file.name.slice(0, 256));
      body.set('file', file);
      return must(api.POST('/openapi/segments', { body: body as never, bodySerializer: () => body }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: SEGMENTS }),
  });
}
