import { useInfiniteQuery } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useEvents } from '../../api/live';
import { usePeople } from '../../api/people';
import { dayName, dayOf } from '../../i18n/time';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { type Message, patchMessages } from './live-messages';
import { useMarkRead } from './mark-read';
import { MessageItem } from './message-item';
import { messages as t } from './messages';
import { OutgoingItem } from './outgoing-item';
import { messagesQuery } from './queries';
import { keyOf, useOutgoing } from './sending';
import type { Conversation } from './views';

/** As near to the first message as this, earlier ones are loaded; in pixels. */
const LOAD_AHEAD = 400;
const AT_END = 24;

export function MessageList({ conversation }: { readonly conversation: Conversation }) {
  const list = useInfiniteQuery(messagesQuery(conversation.id));
  useEvents(patchMessages);
  const messages = useMemo(() => list.data?.pages.flatMap(({ data }) => data).reverse() ?? [], [list.data]);
  useMarkRead(messages);
  const rows = useRows(messages, conversation.id);
  if (list.isPending) return <SkeletonList />;
  if (list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (rows.length === 0) return <EmptyState icon={MessageCircle} title={t('noText')} />;
  const loadEarlier = () => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  };
  return <Scroller rows={rows} onNearStart={loadEarlier} />;
}

interface Row {
  readonly key: string;
  readonly content: ReactNode;
}

function useRows(messages: readonly Message[], conversationId: string): readonly Row[] {
  const outgoing = useOutgoing(conversationId);
  const people = usePeople(messages.map(({ sender_id }) => sender_id));
  return useMemo(() => {
    const byId = new Map(messages.map((message) => [message.id, message]));
    const rows: Row[] = [];
    let previous: Message | undefined;
    for (const message of messages) {
      const isNewDay = previous === undefined || dayOf(previous.created_at) !== dayOf(message.created_at);
      if (isNewDay) {
        rows.push({ key: `day ${dayOf(message.created_at)}`, content: <Day at={message.created_at} /> });
      }
      const sender = people.get(message.sender_id);
      const repliedTo = message.reply_to_id === null ? undefined : byId.get(message.reply_to_id);
      const item = <MessageItem message={message} senderName={sender?.display_name} repliedTo={repliedTo} />;
      rows.push({ key: message.id, content: item });
      previous = message;
    }
    const arrived = new Set(messages.map(keyOf));
    const waiting = outgoing.filter(({ key }) => !arrived.has(key));
    return [...rows, ...waiting.map((each) => ({ key: each.key, content: <OutgoingItem message={each} /> }))];
  }, [messages, outgoing, people]);
}

function Day({ at }: { readonly at: string }) {
  return (
    <p className="px-4 pt-4 pb-1 text-center text-muted text-xs">
      <time dateTime={at}>{dayName(at)}</time>
    </p>
  );
}

/** Opens at the newest row and stays there, unless the person scrolled away; earlier rows do not move what is read. */
function Scroller({
  rows,
  onNearStart,
}: {
  readonly rows: readonly Row[];
  readonly onNearStart: () => void;
}) {
  const handle = useRef<VirtualizerHandle>(null);
  const isAtEnd = useRef(true);
  const ends = useRef({ first: '', last: '' });
  const now = { first: rows[0]?.key ?? '', last: rows.at(-1)?.key ?? '' };
  const hasEarlier = ends.current.last === now.last && ends.current.first !== now.first;
  useEffect(() => {
    ends.current = { first: now.first, last: now.last };
    if (isAtEnd.current) handle.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [now.first, now.last, rows.length]);
  const scrolled = (offset: number) => {
    const view = handle.current;
    if (view === null) return;
    isAtEnd.current = offset + view.viewportSize >= view.scrollSize - AT_END;
    if (offset < LOAD_AHEAD && !isAtEnd.current) onNearStart();
  };
  return (
    <div
      role="log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
      tabIndex={0}
      aria-label={t('messages')}
      className="flex min-h-0 grow flex-col overflow-y-auto outline-none [overflow-anchor:none]"
    >
      <div className="grow" />
      <Virtualizer ref={handle} shift={hasEarlier} onScroll={scrolled}>
        {rows.map(({ key, content }) => (
          <div key={key}>{content}</div>
        ))}
      </Virtualizer>
      <div className="h-3 shrink-0" />
    </div>
  );
}
