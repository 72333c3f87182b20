import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { explain } from '../../../api/errors';
import type { ContactImport, ImportMapping, ImportPreview } from '../../../api/import-paths';
import { Status } from '../../../kit/badge';
import { Button } from '../../../kit/button';
import { Card } from '../../../kit/page';
import { Table } from '../../../kit/table';
import { showError } from '../../../kit/toast';
import { isComplete } from './mapping';
import { messages as t } from './messages';
import { previewQuery, useDeleteImport, useStartImport } from './queries';
import { problemText } from './texts';

interface ImportCheckProps {
  readonly upload: ContactImport;
  readonly mapping: ImportMapping;
}

/** The result of checking all rows with the mapping, and the available actions. */
export function ImportCheck({ upload: { id }, mapping }: ImportCheckProps) {
  const navigate = useNavigate();
  const start = useStartImport(id);
  const discard = useDeleteImport(id);
  const isReady = isComplete(mapping);
  const preview = useQuery({
    ...previewQuery(id, mapping),
    enabled: isReady,
    placeholderData: keepPreviousData,
  });
  const checked = isReady && !preview.isPlaceholderData ? preview.data : undefined;
  const good = checked === undefined ? 0 : checked.rows - checked.wrong;
  const leave = () => void navigate({ to: '/contacts/imports' });
  return (
    <Card title={t('check')}>
      <div aria-live="polite" className="flex flex-col gap-3">
        {!isReady && <Status tone="warning">{t('incomplete')}</Status>}
        {preview.isError && isReady && <p className="text-danger text-sm">{explain(preview.error).advice}</p>}
        {isReady && checked === undefined && !preview.isError && <Status tone="info">{t('checking')}</Status>}
        {checked !== undefined && <Checked preview={checked} />}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          disabled={discard.isPending}
          onClick={() => discard.mutate(undefined, { onSuccess: leave, onError: showError })}
        >
          {t('discard')}
        </Button>
        <Button
          kind="primary"
          disabled={good === 0 || start.isPending}
          onClick={() => start.mutate(mapping, { onError: showError })}
        >
          {t('start', { rows: good })}
        </Button>
      </div>
    </Card>
  );
}

function Checked({ preview: { rows, wrong, problems } }: { readonly preview: ImportPreview }) {
  if (wrong === 0) return <p className="text-sm">{t('allGood', { rows })}</p>;
  return (
    <>
      <p className="text-sm">{t('someWrong', { wrong })}</p>
      <Table
        label={t('firstProblems')}
        rows={problems}
        rowKey={({ line }) => String(line)}
        columns={[
          { title: t('line'), cell: ({ line }) => line },
          {
            title: t('row'),
            isMinor: true,
            cell: ({ cells }) => <span className="line-clamp-1 text-muted">{cells.join(' · ')}</span>,
          },
          { title: t('problem'), cell: ({ problems: all }) => all.map(problemText).join(' ') },
        ]}
      />
    </>
  );
}
