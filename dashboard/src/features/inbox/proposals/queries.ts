import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must } from '../../../api/client';
import type { ServiceEvent } from '../../../api/event-stream';
import { refresh } from '../../../api/refresh';
import { showError, showToast } from '../../../kit/toast';
import { messages as t } from './messages';

/** Proposals do not produce an event, so an open conversation polls for them. */
const REPEAT_MS = 5_000;

const keyOf = (conversationId: string) => ['proposals', conversationId];

export const proposalsQuery = (conversationId: string) =>
  queryOptions({
    queryKey: keyOf(conversationId),
    queryFn: async ({ signal }) => {
      const params = { path: { id: conversationId } };
      return (await must(api.GET('/conversations/{id}/proposals', { params, signal }))).data;
    },
    refetchInterval: REPEAT_MS,
    staleTime: 0,
  });

/** An approved proposal creates a message. Another member may have approved it. */
export function refreshProposals({ name, data }: ServiceEvent, queries: QueryClient): void {
  if (name === 'message.created') refresh(queries, keyOf(String(data.conversation_id)));
}

/** Approves or rejects a proposal. If another member decided first, the user is notified and the list is reloaded. */
export function useDecision(conversationId: string) {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: keyOf(conversationId) });
  const approve = useMutation({
    mutationFn: ({ id, text }: { readonly id: string; readonly text?: string | undefined }) =>
      must(
        api.POST('/proposals/{id}/approve', {
          params: { path: { id } },
          body: text === undefined ? {} : { text },
        }),
      ),
    onSuccess: () => showToast(t('didApprove')),
    onError: showError,
    onSettled,
  });
  const refuse = useMutation({
    mutationFn: (id: string) => must(api.POST('/proposals/{id}/refuse', { params: { path: { id } } })),
    onSuccess: () => showToast(t('didRefuse')),
    onError: showError,
    onSettled,
  });
  return { approve, refuse, isPending: approve.isPending || refuse.isPending };
}
