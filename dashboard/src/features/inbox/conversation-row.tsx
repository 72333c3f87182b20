import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { shortTime } from '../../i18n/time';
import { Avatar } from '../../kit/avatar';
import { Badge } from '../../kit/badge';
import { usePlainText } from '../../kit/markdown/plain-text';
import { RowCheckbox } from './bulk/row-checkbox';
import { useConversationName } from './conversation-name';
import { messages as t } from './messages';
import { type Conversation, withoutMessage } from './views';

/** Long enough for any row, and short enough to limit the work for a text of megabytes. */
const EXCERPT = 200;
const NOTHING = { text: '' };

interface ConversationRowProps {
  readonly conversation: Conversation;
  readonly isSelected: boolean;
  /** Absent if the row cannot be selected. */
  readonly onSelect?: ((id: string) => void) | undefined;
}

export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { conversation, isSelected, onSelect } = props;
  const name = useConversationName(conversation);
  return (
    <div className="group relative">
      <RowLink conversation={conversation} name={name} />
      {onSelect !== undefined && (
        <RowCheckbox name={name} isChecked={isSelected} onToggle={() => onSelect(conversation.id)} />
      )}
    </div>
  );
});

interface RowLinkProps {
  readonly conversation: Conversation;
  readonly name: string;
}

function RowLink({ conversation, name }: RowLinkProps) {
  const { number, last_message: last, unread_count: unread, platforms } = conversation;
  const said = usePlainText(last ?? NOTHING);
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
            {last === null ? t('noText') : said.slice(0, EXCERPT) || t('attachment')}
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
}
