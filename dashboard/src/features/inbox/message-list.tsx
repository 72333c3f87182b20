import { useInfiniteQuery, usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { MessageCircle } from 'lucide-react';
import { useMemo } from 'react';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { capabilitiesQuery } from './abilities';
import { useShowNewest } from './jumping';
import { useMarkRead } from './mark-read';
import { type Message, messageQuery, messagesQuery } from './message-pages';
import { useRows } from './message-rows';
import { MessageScroller } from './message-scroller';
import { messages as t } from './messages';
import { type Conversation, readSearch } from './views';

/** Opens at the newest message, or at the message in the URL. */
export function MessageList({ conversation }: { readonly conversation: Conversation }) {
  const { message: anchorId } = readSearch(useSearch({ strict: false }));
  // Preloads the capabilities that message menus need.
  usePrefetchQuery(capabilitiesQuery(conversation.id));
  if (anchorId === undefined) return <Messages conversationId={conversation.id} />;
  return <MessagesAround key={anchorId} conversationId={conversation.id} anchorId={anchorId} />;
}

interface MessagesAroundProps {
  readonly conversationId: string;
  readonly anchorId: string;
}

/** A deleted message, or one of another conversation, is ignored. */
function MessagesAround({ conversationId, anchorId }: MessagesAroundProps) {
  const { data: anchor, isPending } = useQuery(messageQuery(anchorId));
  if (isPending) return <SkeletonList />;
  const isHere = anchor?.conversation_id === conversationId;
  return <Messages conversationId={conversationId} {...(isHere && { anchor })} />;
}

interface MessagesProps {
  readonly conversationId: string;
  readonly anchor?: Message;
}

function Messages({ conversationId, anchor }: MessagesProps) {
  const list = useInfiniteQuery(messagesQuery(conversationId, anchor));
  const messages = useMemo(() => list.data?.pages.flatMap(({ data }) => data).reverse() ?? [], [list.data]);
  useMarkRead(messages);
  const hasNewer = list.hasPreviousPage;
  const rows = useRows(conversationId, messages, hasNewer);
  const showNewest = useShowNewest();
  if (list.isPending) return <SkeletonList />;
  if (list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (rows.length === 0) return <EmptyState icon={MessageCircle} title={t('noText')} />;
  return (
    <MessageScroller
      rows={rows}
      anchorId={anchor?.id}
      hasNewer={hasNewer}
      onNearStart={() => {
        if (list.hasNextPage && !list.isFetching) void list.fetchNextPage();
      }}
      onNearEnd={() => {
        if (hasNewer && !list.isFetching) void list.fetchPreviousPage();
      }}
      onShowNewest={showNewest}
    />
  );
}
