import { Lock } from 'lucide-react';
import { lazy, memo, Suspense, useRef, useState } from 'react';
import { clockTime, fullTime } from '../../i18n/time';
import { PlatformBadge } from '../../kit/platform';
import { Attachments } from './attachments';
import { Scheduled } from './composer/scheduled';
import { DeliveryStates } from './delivery-state';
import { EditHistory } from './edit-history';
import type { Opened } from './message-actions';
import { BubbleRow, type Side } from './message-bubble';
import { MessageEditor } from './message-editor';
import { isWithin, MessageKeys } from './message-keys';
import { MessageMenu } from './message-menu';
import type { Message } from './message-pages';
import { MessageText } from './message-text';
import { messages as t } from './messages';
import { Quote } from './quote';
import { Reactions } from './reactions';
import { RemoveMessage } from './remove-message';

const MessageTrace = lazy(() => import('../../kit/trace/message-trace'));

interface MessageItemProps {
  readonly message: Message;
  /** Empty until it is loaded. */
  readonly senderName: string;
  readonly repliedTo: Message | undefined;
  /** Whether the message above is a recent one of the same sender. */
  readonly isContinued: boolean;
}

export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { message, senderName: name, repliedTo, isContinued } = props;
  const [opened, open] = useState<Opened>();
  const [isChosen, setChosen] = useState(false);
  const article = useRef<HTMLElement>(null);
  const close = () => open(undefined);
  return (
    <article
      ref={article}
      // The arrow keys focus the message. Its shortcuts work while it has the focus.
      tabIndex={-1}
      data-message={message.id}
      onFocus={() => setChosen(true)}
      onBlur={(event) => setChosen(isWithin(event))}
      aria-label={t('messageBy', { name })}
      className="group -outline-offset-2 focus:bg-hover"
    >
      {isChosen && <MessageKeys message={message} name={name} onOpen={open} />}
      <BubbleRow
        side={sideOf(message)}
        name={name}
        isContinued={isContinued}
        isWide={opened === 'editor'}
        head={<MessageHead message={message} name={name} />}
        menu={<MessageMenu message={message} name={name} onOpen={open} />}
        foot={<MessageFoot message={message} />}
      >
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
      </BubbleRow>
      {opened === 'trace' && (
        <Suspense>
          <MessageTrace message={message} onClose={close} />
        </Suspense>
      )}
      {opened === 'removal' && <RemoveMessage message={message} onClose={close} />}
    </article>
  );
});

function sideOf({ direction }: Message): Side {
  if (direction === 'internal') return 'note';
  return direction === 'inbound' ? 'customer' : 'team';
}

function MessageHead({ message, name }: { readonly message: Message; readonly name: string }) {
  return (
    <header className="flex max-w-full flex-wrap items-center gap-x-2">
      <span className="untrusted max-w-full truncate font-semibold text-sm">{name}</span>
      {message.direction === 'inbound' && message.platform !== null && (
        <PlatformBadge platform={message.platform} />
      )}
    </header>
  );
}

/** The reactions, the time of the message, and what happened to it. */
function MessageFoot({ message }: { readonly message: Message }) {
  return (
    <>
      <Reactions message={message} />
      <Scheduled message={message} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-1 text-muted text-xs">
        {message.direction === 'internal' && (
          <span className="inline-flex items-center gap-1 text-warning">
            <Lock aria-hidden className="size-3" />
            {t('internalNote')}
          </span>
        )}
        <time dateTime={message.created_at} title={fullTime(message.created_at)}>
          {clockTime(message.created_at)}
        </time>
        <EditHistory message={message} />
        <DeliveryStates message={message} />
      </div>
    </>
  );
}
