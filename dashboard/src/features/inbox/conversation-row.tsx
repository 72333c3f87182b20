import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { shortTime } from '../../i18n/time';
import { Avatar } from '../../kit/avatar';
import { Badge } from '../../kit/badge';
import { useConversationName } from './conversation-name';
import { messages as t } from './messages';
import { type Conversation, withoutMessage } from './views';

/** Long enough for any row, and short enough for a text of megabytes. */
const EXCERPT = 200;

export const ConversationRow = memo(function ConversationRow({
  conversation,
}: {
  readonly conversation: Conversation;
}) {
  const { number, last_message: last, unread_count: unread, platforms } = conversation;
  const name = useConversationName(conversation);
  const isUnread = unread > 0;
  return (
    <Link
      to="/inbox/$number"
      params={{ number: String(number) }}
      search={withoutMessage}
      className="flex gap-3 border-line border-b px-3 py-2.5 hover:bg-hover data-[status=active]:bg-selected"
    >
      <Avatar name={name} size={32} />
      <span className="min-w-0 grow">
        <span className="flex items-baseline justify-between gap-2">
          <span className={`untrusted truncate ${isUnread ? 'font-semibold' : 'font-medium'}`}>{name}</span>
          {last !== null && (
            <time dateTime={last.created_at} className="shrink-0 text-muted text-xs">
              {shortTime(last.created_at)}
            </time>
          )}
        </span>
        <span className="flex items-center justify-between gap-2">
          <span className={`untrusted truncate text-sm ${isUnread ? 'text-text' : 'text-muted'}`}>
            {last === null ? t('noText') : last.text.slice(0, EXCERPT) || t('attachment')}
          </span>
          {isUnread && (
            <span className="shrink-0 rounded-full bg-accent px-1.5 font-semibold text-on-accent text-xs">
              <span aria-hidden>{unread}</span>
              <span className="sr-only">{t('unread', { count: unread })}</span>
            </span>
          )}
        </span>
        {platforms.length > 0 && (
          <span className="mt-1 flex flex-wrap gap-1">
            {platforms.map((platform) => (
              <Badge key={platform}>{platform}</Badge>
            ))}
          </span>
        )}
      </span>
    </Link>
  );
});
