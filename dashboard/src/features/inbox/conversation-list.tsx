import { useInfiniteQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { Virtualizer } from 'virtua';
import { useEvents } from '../../api/live';
import { useSession } from '../../api/session';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Select } from '../../kit/select';
import { ConversationRow } from './conversation-row';
import { patchLists } from './live-lists';
import { messages as t } from './messages';
import { conversationsQuery } from './queries';
import { type Selection, STATUSES, VIEWS } from './views';

export function ConversationList() {
  const [selection, select] = useState<Selection>({ view: 'all', status: 'open' });
  useEvents(patchLists);
  return (
    <section aria-label={t('conversations')} className="flex h-full min-h-0 flex-col">
      <header className="flex flex-col gap-2 border-line border-b p-3">
        <div className="flex items-center justify-between gap-2">
          <h1 className="font-semibold text-lg">{t('title')}</h1>
          <Select
            label={t('status')}
            value={selection.status}
            onChange={(status) => select({ ...selection, status })}
            options={
              Object.fromEntries(STATUSES.map((status) => [status, t(status)])) as Record<
                Selection['status'],
                string
              >
            }
            className="!w-auto !border-line"
          />
        </div>
        <fieldset aria-label={t('views')} className="flex gap-1">
          {VIEWS.map((view) => (
            <Button
              key={view}
              size="sm"
              kind="quiet"
              aria-pressed={selection.view === view}
              className="aria-pressed:bg-selected aria-pressed:text-accent-text"
              onClick={() => select({ ...selection, view })}
            >
              {t(view)}
            </Button>
          ))}
        </fieldset>
      </header>
      <Rows selection={selection} />
    </section>
  );
}

function Rows({ selection }: { readonly selection: Selection }) {
  const { user } = useSession();
  const list = useInfiniteQuery(conversationsQuery(selection, user.id));
  if (list.isPending) return <SkeletonList />;
  if (list.isError && list.data === undefined)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  const rows = list.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0)
    return (
      <EmptyState icon={Inbox} title={t('noneTitle')}>
        {t('noneText')}
      </EmptyState>
    );
  return (
    <div className="min-h-0 grow overflow-y-auto">
      <Virtualizer>
        {rows.map((conversation) => (
          <ConversationRow key={conversation.id} conversation={conversation} />
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
  );
}
