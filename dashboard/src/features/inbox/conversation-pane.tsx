import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePermissions } from '../../api/session';
import { DropArea } from '../../kit/attaching';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { useDraftFiles } from './attaching';
import { Composer } from './composer/composer';
import { ConversationHeader } from './conversation-header';
import { DetailsPane } from './details/conversation-details';
import { DraftProvider } from './drafts/draft-provider';
import { listed } from './live-lists';
import { MessageList } from './message-list';
import { messages as t } from './messages';
import { ProposalBar } from './proposals/proposal-bar';
import { conversationQuery } from './queries';
import { TypingPeople } from './typing';

export function ConversationPane({ number }: { readonly number: number }) {
  const queries = useQueryClient();
  // Shows the data of the list row until the service responds.
  const query = { ...conversationQuery(number), placeholderData: () => listed(queries, number) };
  const { data, error, refetch } = useQuery(query);
  if (data === undefined && error !== null)
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonList />;
  return (
    <div className="flex h-full min-w-0">
      <ConversationArea conversationId={data.id}>
        <ConversationHeader conversation={data} />
        <DraftProvider key={data.id} conversationId={data.id}>
          <MessageList conversation={data} />
          <ProposalBar conversationId={data.id} />
          <TypingPeople conversationId={data.id} />
          <Composer conversation={data} />
        </DraftProvider>
      </ConversationArea>
      <DetailsPane conversation={data} />
    </div>
  );
}

interface ConversationAreaProps {
  readonly conversationId: string;
  readonly children: ReactNode;
}

/** The conversation, which accepts dropped files. */
function ConversationArea({ conversationId, children }: ConversationAreaProps) {
  const { canWrite } = usePermissions();
  const { add } = useDraftFiles(conversationId);
  return (
    <DropArea
      label={t('conversation')}
      isEnabled={canWrite}
      onDropFiles={add}
      className="flex h-full min-h-0 min-w-0 grow flex-col"
    >
      {children}
    </DropArea>
  );
}
