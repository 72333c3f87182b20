import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, must } from '../../../api/client';
import { showError } from '../../../kit/toast';
import { changeMessages, withMessage } from '../live-messages';
import type { Message } from '../message-pages';

/** Whether the message is waiting for its scheduled time. */
export const isScheduled = ({ status, send_at }: Message): boolean =>
  status === 'scheduled' && send_at !== null;

/** Sends a message before its scheduled time. */
export function useSendNow({ id, conversation_id: conversationId }: Message) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const body = { send_at: new Date().toISOString() };
      return must(api.PATCH('/openapi/messages/{id}', { params: { path: { id } }, body }));
    },
    onSuccess: (sent) => changeMessages(queries, conversationId, (pages) => withMessage(pages, sent)),
    onError: showError,
  });
}
