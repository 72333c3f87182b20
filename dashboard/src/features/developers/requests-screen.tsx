import { useInfiniteQuery } from '@tanstack/react-query';
import { Pause, Play, ScrollText } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { usePermissions } from '../../api/session';
import type { LoggedRequest } from '../../api/session-paths';
import { fullTime } from '../../i18n/time';
import { Badge, Status } from '../../kit/badge';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Table } from '../../kit/table';
import { DevelopersPage } from './developers-page';
import { RequestFilters } from './request-filters';
import { messages as t } from './request-messages';
import { EVERYTHING, type RequestFilter, requestsQuery } from './request-queries';

export function RequestsScreen() {
  const { canManage } = usePermissions();
  const [isLive, setLive] = useState(true);
  const toggle = (
    <Button aria-pressed={isLive} onClick={() => setLive(!isLive)}>
      {isLive ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
      {isLive ? t('pause') : t('resume')}
    </Button>
  );
  return (
    <DevelopersPage title={t('title')} description={t('help')} actions={canManage ? toggle : undefined}>
      {canManage ? <Log isLive={isLive} /> : <EmptyState icon={ScrollText} title={t('managersOnly')} />}
    </DevelopersPage>
  );
}

function Log({ isLive }: { readonly isLive: boolean }) {
  const [filter, setFilter] = useState(EVERYTHING);
  return (
    <>
      <RequestFilters filter={filter} onChange={setFilter} />
      <Requests filter={useDeferredValue(filter)} isLive={isLive} />
    </>
  );
}

function Requests({ filter, isLive }: { readonly filter: RequestFilter; readonly isLive: boolean }) {
  const requests = useInfiniteQuery(requestsQuery(filter, isLive));
  if (requests.isPending) return <SkeletonList rows={8} />;
  if (requests.isError) return <ErrorState error={requests.error} onRetry={() => void requests.refetch()} />;
  const rows = requests.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0)
    return (
      <EmptyState icon={ScrollText} title={t('none')}>
        {filter === EVERYTHING ? t('noneHelp') : t('noneFound')}
      </EmptyState>
    );
  return (
    <>
      <Table
        label={t('title')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { title: t('status'), cell: ({ status }) => <Outcome status={status} /> },
          { title: t('request'), cell: (request) => <Request request={request} /> },
          { title: t('client'), isMinor: true, cell: (request) => <Client request={request} /> },
          { title: t('duration'), isMinor: true, cell: (request) => <Duration request={request} /> },
          { title: t('time'), isMinor: true, cell: ({ created_at: at }) => <Time at={at} /> },
        ]}
      />
      {requests.hasNextPage && (
        <Button className="self-center" onClick={() => void requests.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

function Outcome({ status }: { readonly status: number }) {
  if (status >= 500) return <Status tone="danger">{t('failed', { status })}</Status>;
  if (status >= 400) return <Status tone="warning">{t('refused', { status })}</Status>;
  return <Status tone="success">{t('done', { status })}</Status>;
}

function Request({ request }: { readonly request: LoggedRequest }) {
  const { method, path, request_id: id, created_at: at } = request;
  return (
    <div className="min-w-0 max-w-48 sm:max-w-80">
      <p className="truncate font-mono text-xs" title={`${method} ${path}`}>
        <span className="font-semibold">{method}</span> {path}
      </p>
      <p className="truncate font-mono text-muted text-xs" title={id}>
        {id}
      </p>
      <p className="text-muted text-xs md:hidden">
        <Time at={at} />
      </p>
    </div>
  );
}

function Client({ request: { credential, environment } }: { readonly request: LoggedRequest }) {
  return (
    <div className="min-w-0 max-w-40">
      <p className="truncate" title={credential.name ?? credential.id}>
        {credential.name ?? credential.id}
      </p>
      <p className="flex items-center gap-1 text-muted text-xs">
        {t(credential.kind)}
        {environment === 'test' && <Badge>{t('test')}</Badge>}
      </p>
    </div>
  );
}

function Duration({ request: { duration_ms: ms } }: { readonly request: LoggedRequest }) {
  return <span className="whitespace-nowrap tabular-nums">{`${ms} ms`}</span>;
}

const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} className="whitespace-nowrap tabular-nums">
    {fullTime(at)}
  </time>
);
