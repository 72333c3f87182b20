import { Lock } from 'lucide-react';
import { memo, useState } from 'react';
import { clockTime, fullTime } from '../../i18n/time';
import { Avatar } from '../../kit/avatar';
import { Badge, Status } from '../../kit/badge';
import { Attachments } from './attachments';
import { Scheduled } from './composer/scheduled';
import { DeliveryStates } from './delivery-state';
import { EditHistory } from './edit-history';
import { MessageEditor } from './message-editor';
import { MessageMenu } from './message-menu';
import type { Message } from './message-pages';
import { MessageText } from './message-text';
import { messages as t } from './messages';
import { Quote } from './quote';
import { Reactions } from './reactions';

interface MessageItemProps {
  readonly message: Message;
  readonly senderName: string | undefined;
  readonly repliedTo: Message | undefined;
}

export const MessageItem = memo(function MessageItem({ message, senderName, repliedTo }: MessageItemProps) {
  const name = senderName ?? t('formerPerson');
  const [isEditing, setEditing] = useState(false);
  const isNote = message.direction === 'internal';
  return (
    <article
      aria-label={t('messageBy', { name })}
      className={`group flex gap-3 px-4 py-1.5 ${isNote ? 'bg-warning-soft' : 'hover:bg-hover'}`}
    >
      <Avatar name={name} size={32} />
      <div className="min-w-0 grow">
        <header className="flex flex-wrap items-baseline gap-x-2">
          <span className="untrusted max-w-full truncate font-semibold">{name}</span>
          {message.direction === 'inbound' && message.platform !== null && <Badge>{message.platform}</Badge>}
          {isNote && (
            <Status tone="warning" icon={Lock}>
              {t('internalNote')}
            </Status>
          )}
          <time
            dateTime={message.created_at}
            title={fullTime(message.created_at)}
            className="text-muted text-xs"
          >
            {clockTime(message.created_at)}
          </time>
          <EditHistory message={message} />
        </header>
        {message.reply_to_id !== null && <Quote id={message.reply_to_id} message={repliedTo} />}
        {isEditing ? (
          <MessageEditor message={message} onClose={() => setEditing(false)} />
        ) : (
          <MessageText text={message.text} content_type={message.content_type} />
        )}
        <Attachments attachments={message.attachments} />
        <Reactions message={message} />
        <Scheduled message={message} />
        <DeliveryStates message={message} />
      </div>
      <MessageMenu message={message} name={name} onEdit={() => setEditing(true)} />
    </article>
  );
});
