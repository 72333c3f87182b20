import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api, must, type Schemas } from '../../api/client';
import type { ServiceEvent } from '../../api/event-stream';
import { quoted } from '../../api/filter';
import { PEOPLE, refreshPerson } from '../../api/people';
import { personClauses } from '../../api/person-search';
import { refresh, stopReading } from '../../api/refresh';

export type Contact = Schemas['User'];
export type Consent = Contact['consent'];

export interface ContactFilter {
  readonly text: string;
  readonly platform: string;
  readonly status: 'all' | 'active' | 'blocked';
}

export interface ContactBody {
  readonly display_name?: string;
  readonly email?: string;
  readonly phone?: string | null;
  readonly locale?: string | null;
  readonly timezone?: string | null;
  readonly status?: 'active' | 'blocked';
  readonly consent?: Partial<Consent>;
}

const PAGE = 50;
const CONVERSATION_LIMIT = 20;
const CHANGES = 10;
const CONTACTS = ['contacts'];
/** The first parts of the query keys of a profile. The second part is the contact's id. */
const [CONTACT, CONSENT, CONVERSATIONS] = ['contact', 'contact-consent', 'contact-conversations'] as const;
const PROFILE = [CONTACT, CONSENT, CONVERSATIONS];

export const contactsQuery = (filter: ContactFilter) =>
  infiniteQueryOptions({
    queryKey: [...CONTACTS, filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { filter: clausesOf(filter), limit: PAGE, cursor: pageParam };
      return must(api.GET('/openapi/users', { params: { query }, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
  });

export function clausesOf({ text, platform, status }: ContactFilter): string[] {
  return [
    'kind:contact',
    ...(platform === '' ? [] : [`platform:${quoted(platform)}`]),
    ...(status === 'all' ? [] : [`status:${status}`]),
    ...personClauses(text),
  ];
}

/** URL of the filtered contacts as CSV. */
export const exportUrl = (filter: ContactFilter): string =>
  `/dashboard/api/contacts/export?filter=${encodeURIComponent(clausesOf(filter).join(','))}`;

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: [CONTACT, id],
    queryFn: ({ signal }) => must(api.GET('/openapi/users/{id}', { params: { path: { id } }, signal })),
  });

export const platformsQuery = queryOptions({
  queryKey: ['protocols'],
  queryFn: async ({ signal }) =>
    (await must(api.GET('/openapi/protocols', { params: { query: { limit: 100, cursor: '' } }, signal })))
      .data,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The newest conversations of a contact. */
export const conversationsQuery = (id: string) =>
  queryOptions({
    queryKey: [CONVERSATIONS, id],
    queryFn: async ({ signal }) => {
      const query = { filter: [`participant_id:${id}`], limit: CONVERSATION_LIMIT, cursor: '' };
      return (await must(api.GET('/openapi/conversations', { params: { query }, signal }))).data;
    },
  });

/** The changes of consent of a contact, newest first. */
export const consentChangesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [CONSENT, id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { id }, query: { limit: CHANGES, cursor: pageParam } };
      return must(api.GET('/contacts/{id}/consent-changes', { params, signal }));
    },
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });

/** Updates the cache after changes made elsewhere: new contacts, opt-outs, merges. */
export function refreshContacts({ name, data }: ServiceEvent, queries: QueryClient): void {
  if (!name.startsWith('user.') || name === 'user.presence_changed') return;
  refresh(queries, CONTACTS);
  const id = String(data.id);
  const change = name === 'user.deleted' ? stopReading : refresh;
  for (const key of PROFILE) change(queries, [key, id]);
  refreshPerson(queries, id);
}

/** A change after which lists and profiles are reloaded. */
function useContactChange<Variables, Result>(change: (variables: Variables) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all(
        [CONTACTS, [CONSENT], [CONTACT], PEOPLE].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
}

export const useCreateContact = () =>
  useContactChange((body: ContactBody & { readonly display_name: string }) =>
    must(api.POST('/openapi/users', { body: body as never })),
  );

export const useChangeContact = (id: string) =>
  useContactChange((body: ContactBody) =>
    must(api.PATCH('/openapi/users/{id}', { params: { path: { id } }, body: body as never })),
  );

export const useMergeContact = (id: string) =>
  useContactChange((sourceId: string) =>
    must(
      api.POST('/openapi/users/{id}/merge', {
        params: { path: { id } },
        body: { source_id: sourceId } as never,
      }),
    ),
  );

/** The profile of an erased contact cannot be loaded. */
export function useEraseContact(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (_: undefined) => {
      await must(api.DELETE('/openapi/users/{id}', { params: { path: { id } } }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: CONTACTS }),
  });
}
