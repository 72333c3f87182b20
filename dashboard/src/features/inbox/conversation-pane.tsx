import { useQuery } from '@tanstack/react-query';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { DropArea } from './attaching';
import { Composer } from './composer/composer';
import { ConversationHeader } from './conversation-header';
import { DetailsPane } from './details/conversation-details';
import { DraftProvider } from './drafts/draft-provider';
import { MessageList } from './message-list';
import { conversationQuery } from './queries';
import { TypingPeople } from './typing';

export function ConversationPane({ number }: { readonly number: number }) {
  const { data, error, refetch } = useQuery(conversationQuery(number));
  if (data === undefined && error !== null)
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonList />;
  return (
    <div className="flex h-full min-w-0">
      <DropArea conversationId={data.id}>
        <ConversationHeader conversation={data} />
        <DraftProvider key={data.id} conversationId={data.id}>
          <MessageList conversation={data} />
          <TypingPeople conversationId={data.id} />
          <Composer conversation={data} />
        </DraftProvider>
      </DropArea>
      <DetailsPane conversation={data} />
    </div>
  );
}
