import { useInfiniteQuery } from '@tanstack/react-query';
import { Download, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../api/session';
import type { AuditEntry } from '../../api/session-paths';
import { fullTime, shortTime } from '../../i18n/time';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Table } from '../../kit/table';
import { showError } from '../../kit/toast';
import { AuditFilters } from './audit-filters';
import { type AuditFilter, auditCsv, auditQuery, EVERYTHING, isAction } from './audit-log';
import { messages as t } from './audit-messages';
import { saveText } from './save-text';
import { SettingsPage } from './settings-page';

export function AuditScreen() {
  const { canManage } = usePermissions();
  const [filter, setFilter] = useState(EVERYTHING);
  return (
    <SettingsPage
      title={t('title')}
      description={t('help')}
      actions={canManage ? <Export filter={filter} /> : undefined}
    >
      {canManage ? (
        <>
          <AuditFilters filter={filter} onChange={setFilter} />
          <Entries filter={filter} />
        </>
      ) : (
        <EmptyState icon={ScrollText} title={t('managersOnly')} />
      )}
    </SettingsPage>
  );
}

function Export({ filter }: { readonly filter: AuditFilter }) {
  const [isPending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    await auditCsv(filter)
      .then((text) => saveText('audit-log.csv', 'text/csv', text))
      .catch(showError);
    setPending(false);
  };
  return (
    <Button disabled={isPending} onClick={() => void save()}>
      <Download aria-hidden className="size-4" />
      {t('csv')}
    </Button>
  );
}

function Entries({ filter }: { readonly filter: AuditFilter }) {
  const entries = useInfiniteQuery(auditQuery(filter));
  if (entries.isPending) return <SkeletonList rows={6} />;
  if (entries.isError) return <ErrorState error={entries.error} onRetry={() => void entries.refetch()} />;
  const rows = entries.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0)
    return (
      <EmptyState icon={ScrollText} title={t('none')}>
        {t('noneHelp')}
      </EmptyState>
    );
  return (
    <>
      <Table
        label={t('title')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t('time'),
            cell: ({ created_at: at }) => (
              <span title={fullTime(at)} className="whitespace-nowrap">
                {shortTime(at)}
              </span>
            ),
          },
          { title: t('actor'), cell: ({ actor }) => actorName(actor) },
          { title: t('action'), cell: ({ action }) => (isAction(action) ? t(action) : action) },
          { title: t('object'), isMinor: true, cell: ({ object }) => <ObjectId object={object} /> },
          { title: t('address'), isMinor: true, cell: ({ address }) => address ?? '' },
        ]}
      />
      {entries.hasNextPage && (
        <Button className="self-center" onClick={() => void entries.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

function actorName({ type, name }: AuditEntry['actor']): string {
  if (type === 'system') return t('system');
  const known = name ?? t('unknown');
  return type === 'api_key' ? `${known} (${t('apiKey')})` : known;
}

function ObjectId({ object: { type, id } }: { readonly object: AuditEntry['object'] }) {
  return (
    <span className="font-mono text-xs" title={id ?? undefined}>
      {id === null ? type : `${type} …${id.slice(-8)}`}
    </span>
  );
}
