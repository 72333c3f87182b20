import { CalendarClock } from 'lucide-react';
import { usePermissions } from '../../../api/session';
import { momentTime } from '../../../i18n/time';
import { Status } from '../../../kit/badge';
import { Button } from '../../../kit/button';
import type { Message } from '../message-pages';
import { messages as t } from './messages';
import { useSendNow } from './send-now';

/** Shows when a message will be sent, with a button to send it now. */
export function Scheduled({ message }: { readonly message: Message }) {
  const { canWrite } = usePermissions();
  const sendNow = useSendNow(message);
  if (message.status !== 'scheduled' || message.send_at === null) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Status tone="info" icon={CalendarClock}>
        {t('scheduled', { time: momentTime(message.send_at) })}
      </Status>
      {canWrite && (
        <Button size="sm" disabled={sendNow.isPending} onClick={() => sendNow.mutate()}>
          {t('sendNow')}
        </Button>
      )}
    </div>
  );
}
