import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import { showError } from '../../kit/toast';
import { changeMessages, type MessagePages, withMessage, withoutMessage } from './live-messages';
import type { Message } from './message-pages';

/** Changes the loaded messages of one conversation. Other tabs receive the same change from the event stream. */
function usePatch(conversationId: string) {
  const queries = useQueryClient();
  return (patch: (pages: MessagePages) => MessagePages) => changeMessages(queries, conversationId, patch);
}

export function useEditMessage({ id, conversation_id }: Message) {
  const patch = usePatch(conversation_id);
  return useMutation({
    mutationFn: (text: string) =>
      must(api.PATCH('/openapi/messages/{id}', { params: { path: { id } }, body: { text } })),
    onSuccess: (message) => patch((pages) => withMessage(pages, message)),
  });
}

export function useRemoveMessage({ id, conversation_id }: Message) {
  const patch = usePatch(conversation_id);
  return useMutation({
    mutationFn: async () => {
      await must(api.DELETE('/openapi/messages/{id}', { params: { path: { id } } }));
    },
    onSuccess: () => patch((pages) => withoutMessage(pages, id)),
  });
}

/** Adds or removes the user's reaction. */
export function useReact({ id, conversation_id }: Message) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: async ({ emoji, isAdded }: { emoji: string; isAdded: boolean }) => {
      const params = { params: { path: { id, emoji } } };
      if (isAdded) await must(api.PUT('/openapi/messages/{id}/reactions/{emoji}', params));
      else await must(api.DELETE('/openapi/messages/{id}/reactions/{emoji}', params));
    },
    onError: showError,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['messages', conversation_id] }),
  });
  return (emoji: string, isAdded: boolean) => change.mutate({ emoji, isAdded });
}
