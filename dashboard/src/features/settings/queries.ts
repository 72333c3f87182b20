import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import { sessionQuery } from '../../api/session';
import type { MemberChange, NewMember } from '../../api/session-paths';

const PAGE = 50;

export const membersQuery = infiniteQueryOptions({
  queryKey: ['members'],
  initialPageParam: '',
  queryFn: ({ pageParam, signal }) =>
    must(api.GET('/members', { params: { query: { limit: PAGE, cursor: pageParam } }, signal })),
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
});

/** The names of API keys, including revoked ones. */
export const keyNamesQuery = infiniteQueryOptions({
  queryKey: ['api-keys', 'names'],
  initialPageParam: '',
  queryFn: ({ pageParam, signal }) =>
    must(api.GET('/keys', { params: { query: { limit: PAGE, cursor: pageParam } }, signal })),
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
});

/** A change after which these queries are reloaded. */
function useChange<Variables, Result>(
  queryKey: readonly unknown[],
  change: (variables: Variables) => Promise<Result>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}

export const useInvite = () =>
  useChange(membersQuery.queryKey, (body: NewMember) => must(api.POST('/members', { body })));

export const useChangeMember = (id: string) =>
  useChange(membersQuery.queryKey, (body: MemberChange) =>
    must(api.PATCH('/members/{id}', { params: { path: { id } }, body })),
  );

export const useRemoveMember = (id: string) =>
  useChange(membersQuery.queryKey, async (_: undefined) => {
    await must(api.DELETE('/members/{id}', { params: { path: { id } } }));
  });

export const useChangeWorkspace = () =>
  useChange(sessionQuery.queryKey, (body: { name: string; opt_out_keywords: string[] }) =>
    must(api.PATCH('/workspace', { body })),
  );

export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => must(api.GET('/workspace/retention', { signal })),
});

export const useSetRetention = () =>
  useChange(retentionQuery.queryKey, (days: number | null) =>
    must(api.PUT('/workspace/retention', { body: { messages_days: days } })),
  );

export const staffChatQuery = queryOptions({
  queryKey: ['staff-chat'],
  queryFn: ({ signal }) => must(api.GET('/workspace/staff-chat', { signal })),
});

export const useSetStaffChat = () =>
  useChange(staffChatQuery.queryKey, (body: { conversation_number: number | null; approvals: boolean }) =>
    must(api.PUT('/workspace/staff-chat', { body })),
  );

export const useChangeProfile = () =>
  useChange(
    sessionQuery.queryKey,
    (body: { display_name: string; username: string; timezone: string | null }) =>
      must(api.PATCH('/openapi/users/me', { body })),
  );

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await must(api.GET('/sessions', { signal }))).data,
});

export const chatIdentitiesQuery = queryOptions({
  queryKey: ['chat-identities'],
  queryFn: async ({ signal }) => (await must(api.GET('/chat-identities', { signal }))).data,
});

export const useMakeChatCode = () =>
  useChange(chatIdentitiesQuery.queryKey, (_: undefined) => must(api.POST('/chat-identities/code')));

export const useUnlinkChat = () =>
  useChange(chatIdentitiesQuery.queryKey, async (id: string) => {
    await must(api.DELETE('/chat-identities/{id}', { params: { path: { id } } }));
  });

/** Ends the session with the given id. Without an id, ends all sessions except the one of this page. */
export const useEndSessions = () =>
  useChange(sessionsQuery.queryKey, async (id: string | undefined) => {
    if (id === undefined) await must(api.DELETE('/sessions'));
    else await must(api.DELETE('/sessions/{id}', { params: { path: { id } } }));
  });

export const useChangePassword = () =>
  useChange(sessionsQuery.queryKey, async (body: { current_password: string; new_password: string }) => {
    await must(api.PUT('/password', { body }));
  });
