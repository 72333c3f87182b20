import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePlainText } from '../../kit/markdown/plain-text';
import { messages as jump } from './jump-messages';
import { type Message, messageQuery } from './message-pages';
import { messages as t } from './messages';
import type { InboxSearch } from './views';

/** Maximum length, because a short excerpt is enough to recognise a quoted message. */
const EXCERPT = 140;
const NOTHING = { text: '' };

interface QuoteProps {
  readonly id: string;
  /** Set if the list already contains it. */
  readonly message: Message | undefined;
}

/** The quoted message. A click jumps to it. */
export function Quote({ id, message }: QuoteProps) {
  const asked = useQuery({ ...messageQuery(id), enabled: message === undefined });
  const quoted = message ?? asked.data;
  const said = usePlainText(quoted ?? NOTHING);
  const look = 'untrusted mb-1 truncate border-line-strong border-l-2 pl-2 text-muted text-sm';
  if (quoted === undefined)
    return <blockquote className={look}>{asked.isPending ? '…' : jump('deleted')}</blockquote>;
  return (
    <blockquote className={look}>
      <Link
        to="."
        search={(old) => ({ ...(old as InboxSearch), message: id })}
        className="hover:text-text hover:underline"
      >
        {said.slice(0, EXCERPT) || t('attachment')}
      </Link>
    </blockquote>
  );
}
