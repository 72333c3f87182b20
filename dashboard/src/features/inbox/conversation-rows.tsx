import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useCallback, useMemo, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { BulkBar } from './bulk/bulk-bar';
import { useSelected } from './bulk/selection';
import { ConversationRow } from './conversation-row';
import { LoadMore } from './load-more';
import { useStepping } from './stepping';
import type { Conversation } from './views';

type Pages = InfiniteData<{ readonly data: Conversation[] }>;

/** Distance from the end, in pixels, at which more rows are loaded. */
const LOAD_AHEAD = 600;

interface RowsProps {
  readonly list: UseInfiniteQueryResult<Pages>;
  readonly title: string;
  readonly text: string;
}

/** Lists conversations, newest first. Scrolling loads more of them. */
export function Rows({ list, title, text }: RowsProps) {
  const rows = useMemo(() => rowsOf(list.data), [list.data]);
  const selected = useSelected(rows);
  const handle = useRef<VirtualizerHandle>(null);
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  useStepping({ rows, list: handle, toggle: selected.toggle, onEnd: loadMore });
  if (list.isPending) return <SkeletonList />;
  if (list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (rows.length === 0)
    return (
      <EmptyState icon={Inbox} title={title}>
        {text}
      </EmptyState>
    );
  return (
    <>
      <BulkBar selected={selected} />
      <div className="min-h-0 grow overflow-y-auto">
        <Virtualizer
          ref={handle}
          onScroll={(offset) => {
            const view = handle.current;
            if (view !== null && view.scrollSize - offset - view.viewportSize < LOAD_AHEAD) loadMore();
          }}
        >
          {rows.map((conversation) => (
            <ConversationRow
              key={conversation.id}
              conversation={conversation}
              isSelected={selected.has(conversation.id)}
              onSelect={selected.toggle}
            />
          ))}
        </Virtualizer>
        <LoadMore {...list} />
      </div>
    </>
  );
}

/** Removes duplicates. A conversation that moved while pages were loaded is in two pages. */
function rowsOf(pages: Pages | undefined): readonly Conversation[] {
  const all = pages?.pages.flatMap(({ data }) => data) ?? [];
  return [...new Map(all.map((each) => [each.id, each])).values()];
}
