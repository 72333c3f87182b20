import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must, type Schemas } from '../../../api/client';

export type Template = Schemas['Template'];

export interface TemplateBody {
  readonly name: string;
  readonly text: string;
  readonly content_type: Template['content_type'];
}

const PAGE = 50;
/** Query key prefix, shared with the composer. */
const TEMPLATES = ['broadcast-templates'];
/** The templates that the inbox suggests after a `/`. */
const SUGGESTED = ['templates'];

export const templateListQuery = infiniteQueryOptions({
  queryKey: [...TEMPLATES, 'list'],
  initialPageParam: '',
  queryFn: ({ pageParam, signal }) => {
    const query = { sort: 'name', order: 'asc', limit: PAGE, cursor: pageParam } as const;
    return must(api.GET('/openapi/templates', { params: { query }, signal }));
  },
  getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
});

function useTemplateChange<Variables, Result>(change: (variables: Variables) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all([TEMPLATES, SUGGESTED].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

const byId = (id: string) => ({ params: { path: { id } } });

/** Creates a template, or changes the one with the given id. */
export const useSaveTemplate = (id: string | undefined) =>
  useTemplateChange((body: TemplateBody) =>
    id === undefined
      ? must(api.POST('/openapi/templates', { body: body as never }))
      : must(api.PATCH('/openapi/templates/{id}', { ...byId(id), body: body as never })),
  );

export const useDeleteTemplate = (id: string) =>
  useTemplateChange(async (_: undefined) => {
    await must(api.DELETE('/openapi/templates/{id}', byId(id)));
  });
