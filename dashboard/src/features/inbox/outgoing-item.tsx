import { CircleAlert, Clock } from 'lucide-react';
import { useState } from 'react';
import { useIsOnline } from '../../api/online';
import { useSession } from '../../api/session';
import { Button } from '../../kit/button';
import { BubbleRow } from './message-bubble';
import { isWithin, OutgoingKeys } from './message-keys';
import { MessageText } from './message-text';
import { messages as t } from './messages';
import type { OutgoingMessage } from './outbox';
import { useOutbox } from './sending';

/** A message that is not sent yet, or that the service rejected. */
export function OutgoingItem({ message }: { readonly message: OutgoingMessage }) {
  const { user } = useSession();
  const [isChosen, setChosen] = useState(false);
  return (
    <article
      // The arrow keys focus it.
      tabIndex={-1}
      data-message={message.key}
      onFocus={() => setChosen(true)}
      onBlur={(event) => setChosen(isWithin(event))}
      aria-label={t('messageBy', { name: user.display_name })}
      className="-outline-offset-2 focus:bg-hover"
    >
      {isChosen && <OutgoingKeys message={message} />}
      <BubbleRow
        side={message.isInternal ? 'note' : 'team'}
        name={user.display_name}
        isContinued
        foot={<Progress message={message} />}
      >
        <MessageText text={message.text} content_type={message.isMarkdown ? 'markdown' : 'text'} />
        {message.uploadIds.length > 0 && (
          <p className="text-muted text-sm">{t('files', { count: message.uploadIds.length })}</p>
        )}
      </BubbleRow>
    </article>
  );
}

function Progress({ message }: { readonly message: OutgoingMessage }) {
  const isOnline = useIsOnline();
  if (message.problem !== undefined) return <Refused message={message} problem={message.problem.message} />;
  return (
    <p className="flex items-center gap-1 px-1 text-muted text-xs">
      <Clock aria-hidden className="size-3.5" />
      {isOnline ? t('underWay') : t('waitsForNetwork')}
    </p>
  );
}

function Refused({ message, problem }: { readonly message: OutgoingMessage; readonly problem: string }) {
  const outbox = useOutbox();
  return (
    <div role="alert" className="mt-1 flex flex-wrap items-center gap-2 text-danger text-sm">
      <CircleAlert aria-hidden className="size-4 shrink-0" />
      <span className="untrusted">{t('refused', { problem })}</span>
      <Button size="sm" onClick={() => void outbox.retry(message)}>
        {t('retry')}
      </Button>
      <Button size="sm" kind="danger" onClick={() => outbox.discard(message.key)}>
        {t('discard')}
      </Button>
    </div>
  );
}
