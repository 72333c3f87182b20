import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ContactImport, ImportRow } from '../../../api/import-paths';
import { Status, type Tone } from '../../../kit/badge';
import { Button } from '../../../kit/button';
import { ErrorState, SkeletonList } from '../../../kit/feedback';
import { Card } from '../../../kit/page';
import { Select } from '../../../kit/select';
import { Table } from '../../../kit/table';
import { messages as t } from './messages';
import { type RowFilter, rowsQuery } from './queries';
import { problemText, undoText } from './texts';

const RESULT_TONES: Readonly<Record<NonNullable<ImportRow['result']>, Tone>> = {
  created: 'success',
  updated: 'info',
  unchanged: 'neutral',
  failed: 'danger',
};

/** The rows of an import with their results. */
export function ImportRows({ found }: { readonly found: ContactImport }) {
  const [shown, setShown] = useState<RowFilter>(firstFilter(found));
  return (
    <Card title={t('results')}>
      <Select
        className="max-w-56"
        label={t('result')}
        value={shown}
        onChange={setShown}
        options={
          {
            all: t('all'),
            created: t('created'),
            updated: t('updated'),
            unchanged: t('unchanged'),
            failed: t('failed'),
            ...(found.status === 'undone' && { kept: t('kept') }),
          } as Record<RowFilter, string>
        }
      />
      <Rows found={found} shown={shown} />
    </Card>
  );
}

/** Results that need attention come first. */
function firstFilter({ status, counts }: ContactImport): RowFilter {
  if (status === 'undone' && counts.kept > 0) return 'kept';
  return status === 'completed' && counts.failed > 0 ? 'failed' : 'all';
}

function Rows({ found, shown }: { readonly found: ContactImport; readonly shown: RowFilter }) {
  const rows = useInfiniteQuery(rowsQuery(found, shown));
  if (rows.isPending) return <SkeletonList rows={4} />;
  if (rows.isError) return <ErrorState error={rows.error} onRetry={() => void rows.refetch()} />;
  const all = rows.data.pages.flatMap(({ data }) => data);
  if (all.length === 0) return <p className="text-muted text-sm">{t('noRows')}</p>;
  return (
    <>
      <Table
        label={t('results')}
        rows={all}
        rowKey={({ id }) => id}
        columns={[
          { title: t('line'), cell: ({ line }) => line },
          { title: t('row'), cell: (row) => <Cells row={row} /> },
          { title: t('result'), cell: (row) => <Result row={row} /> },
        ]}
      />
      {rows.hasNextPage && (
        <Button className="self-center" onClick={() => void rows.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

function Cells({ row: { cells, user_id: id, undo, kept_reason: reason } }: { readonly row: ImportRow }) {
  const text = cells === null ? t('erased') : cells.filter((cell) => cell !== '').join(' · ');
  if (id === null || cells === null || undo === 'removed' || reason === 'gone')
    return <span className="line-clamp-1 text-muted">{text}</span>;
  return (
    <Link to="/contacts/$id" params={{ id }} className="line-clamp-1 hover:underline">
      {text}
    </Link>
  );
}

function Result({ row }: { readonly row: ImportRow }) {
  const { result, problems } = row;
  const blocking = problems.find(({ user_id: id }) => id !== undefined)?.user_id;
  const undone = undoText(row);
  return (
    <div className="flex flex-col items-start gap-1">
      <Status tone={result === null ? 'neutral' : RESULT_TONES[result]}>{t(result ?? 'pending')}</Status>
      {undone !== undefined && <span className="text-muted text-xs">{undone}</span>}
      {problems.length > 0 && (
        <span className="text-muted text-xs">{problems.map(problemText).join(' ')}</span>
      )}
      {blocking !== undefined && (
        <Link to="/contacts/$id" params={{ id: blocking }} className="text-xs underline">
          {t('open')}
        </Link>
      )}
    </div>
  );
}
