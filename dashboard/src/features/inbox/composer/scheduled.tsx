import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { api, must } from '../../../api/client';
import { usePermissions } from '../../../api/session';
import { fullTime } from '../../../i18n/time';
import { Status } from '../../../kit/badge';
import { Button } from '../../../kit/button';
import { showError } from '../../../kit/toast';
import { changeMessages, withMessage } from '../live-messages';
import type { Message } from '../message-pages';
import { messages as t } from './messages';

/** When a message will be sent, and the way to send it now. */
export function Scheduled({ message }: { readonly message: Message }) {
  const { canWrite } = usePermissions();
  const sendNow = useSendNow(message);
  if (message.status !== 'scheduled' || message.send_at === null) return null;
  return (
    <div className="mt-0.5 flex flex-wrap items-center gap-2">
      <Status tone="info" icon={CalendarClock}>
        {t('scheduled', { time: fullTime(message.send_at) })}
      </Status>
      {canWrite && (
        <Button size="sm" disabled={sendNow.isPending} onClick={() => sendNow.mutate()}>
          {t('sendNow')}
        </Button>
      )}
    </div>
  );
}

function useSendNow({ id, conversation_id: conversationId }: Message) {
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
