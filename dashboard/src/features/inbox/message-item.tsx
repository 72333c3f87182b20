import { Lock } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { clockTime, fullTime } from '../../i18n/time';
import { Avatar } from '../../kit/avatar';
import { Badge, Status } from '../../kit/badge';
import { Attachments } from './attachments';
import { Scheduled } from './composer/scheduled';
import { DeliveryStates } from './delivery-state';
import { EditHistory } from './edit-history';
import type { Opened } from './message-actions';
import { MessageEditor } from './message-editor';
import { isWithin, MessageKeys } from './message-keys';
import { MessageMenu } from './message-menu';
import type { Message } from './message-pages';
import { MessageText } from './message-text';
import { MessageTrace } from './message-trace';
import { messages as t } from './messages';
import { Quote } from './quote';
import { Reactions } from './reactions';
import { RemoveMessage } from './remove-message';

interface MessageItemProps {
  readonly message: Message;
  readonly senderName: string | undefined;
  readonly repliedTo: Message | undefined;
}

export const MessageItem = memo(function MessageItem({ message, senderName, repliedTo }: MessageItemProps) {
  const name = senderName ?? t('formerPerson');
  const [opened, open] = useState<Opened>();
  const [isChosen, setChosen] = useState(false);
  const article = useRef<HTMLElement>(null);
  const close = () => open(undefined);
  const isNote = message.direction === 'internal';
  return (
    <article
      ref={article}
      // The arrow keys focus the message. Its shortcuts work while it has the focus.
      tabIndex={-1}
      data-message={message.id}
      onFocus={() => setChosen(true)}
      onBlur={(event) => setChosen(isWithin(event))}
      aria-label={t('messageBy', { name })}
      className={`group -outline-offset-2 flex gap-3 px-4 py-1.5 ${isNote ? 'bg-warning-soft' : 'hover:bg-hover focus:bg-hover'}`}
    >
      {isChosen && <MessageKeys message={message} name={name} onOpen={open} />}
      <Avatar name={name} size={32} />
      <div className="min-w-0 grow">
        <MessageHead message={message} name={name} />
        {message.reply_to_id !== null && <Quote id={message.reply_to_id} message={repliedTo} />}
        {opened === 'editor' ? (
          <MessageEditor
            message={message}
            onClose={() => {
              close();
              article.current?.focus({ preventScroll: true });
            }}
          />
        ) : (
          <MessageText text={message.text} content_type={message.content_type} />
        )}
        <Attachments attachments={message.attachments} />
        <Reactions message={message} />
        <Scheduled message={message} />
        <DeliveryStates message={message} />
      </div>
      <MessageMenu message={message} name={name} onOpen={open} />
      {opened === 'trace' && <MessageTrace message={message} onClose={close} />}
      {opened === 'removal' && <RemoveMessage message={message} onClose={close} />}
    </article>
  );
});

function MessageHead({ message, name }: { readonly message: Message; readonly name: string }) {
  return (
    <header className="flex flex-wrap items-baseline gap-x-2">
      <span className="untrusted max-w-full truncate font-semibold">{name}</span>
      {message.direction === 'inbound' && message.platform !== null && <Badge>{message.platform}</Badge>}
      {message.direction === 'internal' && (
        <Status tone="warning" icon={Lock}>
          {t('internalNote')}
        </Status>
      )}
      <time dateTime={message.created_at} title={fullTime(message.created_at)} className="text-muted text-xs">
        {clockTime(message.created_at)}
      </time>
      <EditHistory message={message} />
    </header>
  );
}
