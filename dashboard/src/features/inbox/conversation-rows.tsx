import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { useMemo } from 'react';
import { Virtualizer } from 'virtua';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { BulkBar } from './bulk/bulk-bar';
import { type Selected, useSelected } from './bulk/selection';
import { ConversationRow } from './conversation-row';
import { messages as t } from './messages';
import { useShortcuts } from './shortcuts';
import { type Conversation, readSearch, withoutMessage } from './views';

type Pages = InfiniteData<{ readonly data: Conversation[] }>;

interface RowsProps {
  readonly list: UseInfiniteQueryResult<Pages>;
  readonly title: string;
  readonly text: string;
}

/** Lists conversations, newest first. `J` and `K` open the next and the previous one. `X` selects the open one. */
export function Rows({ list, title, text }: RowsProps) {
  const rows = useMemo(() => rowsOf(list.data), [list.data]);
  const selected = useSelected(rows);
  useStepping(rows, selected.toggle);
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
        <Virtualizer>
          {rows.map((conversation) => (
            <ConversationRow
              key={conversation.id}
              conversation={conversation}
              isSelected={selected.has(conversation.id)}
              onSelect={selected.toggle}
            />
          ))}
        </Virtualizer>
        {list.hasNextPage && (
          <div className="flex justify-center p-3">
            <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t('more')}
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

/** Removes duplicates. A conversation that moved while pages were loaded is in two pages. */
function rowsOf(pages: Pages | undefined): readonly Conversation[] {
  const all = pages?.pages.flatMap(({ data }) => data) ?? [];
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

function useStepping(rows: readonly Conversation[], toggle: Selected['toggle']): void {
  const { number } = useParams({ strict: false });
  const navigate = useNavigate();
  const keys = useMemo(() => {
    const step = (by: number) => () => {
      const index = rows.findIndex((each) => String(each.number) === number);
      const next = rows[index === -1 ? 0 : index + by];
      if (next === undefined) return;
      const params = { number: String(next.number) };
      void navigate({ to: '/inbox/$number', params, search: (old) => withoutMessage(readSearch(old)) });
    };
    const open = rows.find((each) => String(each.number) === number);
    return {
      j: step(1),
      k: step(-1),
      ...(open !== undefined && toggle !== undefined && { x: () => toggle(open.id) }),
    };
  }, [rows, number, navigate, toggle]);
  useShortcuts(keys);
}
