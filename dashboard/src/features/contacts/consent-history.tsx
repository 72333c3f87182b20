import { useInfiniteQuery } from '@tanstack/react-query';
import type { ConsentChange } from '../../api/session-paths';
import { momentTime } from '../../i18n/time';
import { Button } from '../../kit/button';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { Card } from '../../kit/page';
import { messages as t } from './consent-history-messages';
import { messages as contacts } from './messages';
import { consentChangesQuery } from './queries';

/** The changes of a contact's consents, with time, method and author. */
export function ConsentHistory({ contactId }: { readonly contactId: string }) {
  const changes = useInfiniteQuery(consentChangesQuery(contactId));
  const rows = changes.data?.pages.flatMap(({ data }) => data);
  return (
    <Card title={t('title')} description={t('help')}>
      {changes.isPending && <SkeletonList rows={2} />}
      {changes.isError && <ErrorState error={changes.error} onRetry={() => void changes.refetch()} />}
      {rows?.length === 0 && <p className="text-muted text-sm">{t('none')}</p>}
      {rows !== undefined && rows.length > 0 && (
        <ol className="flex flex-col divide-y divide-line" aria-label={t('title')}>
          {rows.map((change) => (
            <Change key={change.id} change={change} />
          ))}
        </ol>
      )}
      {changes.hasNextPage && (
        <Button className="self-start" onClick={() => void changes.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Card>
  );
}

function Change({ change }: { readonly change: ConsentChange }) {
  const { category, previous, state, created_at: at } = change;
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2 text-sm">
      <span className="font-medium">
        {t('change', {
          category: contacts(`consentFor_${category}`),
          previous: contacts(`consent_${previous}`),
          state: contacts(`consent_${state}`),
        })}
      </span>
      <time className="text-muted">{momentTime(at)}</time>
      <span className="untrusted w-full text-muted">{causeOf(change)}</span>
    </li>
  );
}

function causeOf({ source, keyword, actor_name }: ConsentChange): string {
  if (source === 'keyword') return t('by_keyword', { keyword: keyword ?? '' });
  if (source === 'platform') return t('by_platform');
  return t(`by_${source}`, { name: actor_name ?? t('removed') });
}
