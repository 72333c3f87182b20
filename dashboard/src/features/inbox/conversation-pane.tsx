import { useQuery } from '@tanstack/react-query';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { Composer } from './composer';
import { ContactPane } from './contact-pane';
import { ConversationHeader } from './conversation-header';
import { MessageList } from './message-list';
import { conversationQuery } from './queries';

export function ConversationPane({ number }: { readonly number: number }) {
  const { data, error, refetch } = useQuery(conversationQuery(number));
  if (data === undefined && error !== null)
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonList />;
  return (
    <div className="flex h-full min-w-0">
      <section className="flex h-full min-h-0 min-w-0 grow flex-col">
        <ConversationHeader conversation={data} />
        <MessageList conversation={data} />
        <Composer conversation={data} />
      </section>
      <ContactPane conversation={data} />
    </div>
  );
}
