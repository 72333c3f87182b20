import { Link } from '@tanstack/react-router';
import { Reply } from 'lucide-react';
import { memo } from 'react';
import { shortTime } from '../../i18n/time';
import { Avatar } from '../../kit/avatar';
import { Badge, Status } from '../../kit/badge';
import { usePlainText } from '../../kit/markdown/plain-text';
import { PlatformBadge } from '../../kit/platform';
import { RowCheckbox } from './bulk/row-checkbox';
import { useConversationName } from './conversation-name';
import { messages as details } from './details/messages';
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
  const { number, last_message: last, unread_count: unread } = conversation;
  const said = usePlainText(last ?? NOTHING);
  const isAnswered = last !== null && !isOfCustomer(conversation, last.sender_id);
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
          <span className={`untrusted truncate ${isUnread ? 'font-semibold' : 'font-medium'}`}>
            {name || '\u00a0'}
          </span>
          {last !== null && (
            <time dateTime={last.created_at} className="shrink-0 text-muted text-xs">
              {shortTime(last.created_at)}
            </time>
          )}
        </span>
        <span className="flex items-center justify-between gap-2">
          <span className={`untrusted truncate text-sm ${isUnread ? 'text-text' : 'text-muted'}`}>
            {isAnswered && <Reply aria-hidden className="mr-1 inline size-3.5 align-[-2px]" />}
            {last === null ? t('noText') : said.slice(0, EXCERPT) || t('attachment')}
          </span>
          {isUnread && (
            <span className="shrink-0 rounded-full bg-accent px-1.5 font-semibold text-on-accent text-xs">
              <span aria-hidden>{unread}</span>
              <span className="sr-only">{t('unread', { count: unread })}</span>
            </span>
          )}
        </span>
        <RowBadges conversation={conversation} />
      </span>
    </Link>
  );
}

function isOfCustomer({ participants }: Conversation, userId: string): boolean {
  return participants.some(({ role, user_id }) => role === 'customer' && user_id === userId);
}

const MAX_LABELS = 2;

/** What an agent sorts by at a glance: the urgency, the platforms and the first labels. */
function RowBadges({ conversation: { platforms, labels, priority } }: Pick<RowLinkProps, 'conversation'>) {
  const isUrgent = priority === 'high' || priority === 'urgent';
  if (!isUrgent && platforms.length === 0 && labels.length === 0) return null;
  return (
    <span className="mt-1 flex flex-wrap gap-1">
      {isUrgent && <Status tone={priority === 'urgent' ? 'danger' : 'warning'}>{details(priority)}</Status>}
      {platforms.map((platform) => (
        <PlatformBadge key={platform} platform={platform} />
      ))}
      {labels.slice(0, MAX_LABELS).map((label) => (
        <Badge key={label}>{label}</Badge>
      ))}
      {labels.length > MAX_LABELS && <Badge>{`+${labels.length - MAX_LABELS}`}</Badge>}
    </span>
  );
}
