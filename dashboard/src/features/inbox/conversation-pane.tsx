import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { Badge } from '../../kit/badge';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { useConversationName } from './conversation-name';
import { messages as t } from './messages';
import { conversationQuery } from './queries';
import type { Conversation } from './views';

export function ConversationPane({ number }: { readonly number: number }) {
  const { data, error, refetch } = useQuery(conversationQuery(number));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonList />;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Header conversation={data} />
    </div>
  );
}

function Header({ conversation }: { readonly conversation: Conversation }) {
  const name = useConversationName(conversation);
  return (
    <header className="flex items-center gap-2 border-line border-b px-4 py-2.5">
      <Link to="/inbox" aria-label={t('title')} className="md:hidden">
        <ArrowLeft aria-hidden className="size-5" />
      </Link>
      <h2 className="untrusted truncate font-semibold">{name}</h2>
      {conversation.platforms.map((platform) => (
        <Badge key={platform}>{platform}</Badge>
      ))}
    </header>
  );
}
