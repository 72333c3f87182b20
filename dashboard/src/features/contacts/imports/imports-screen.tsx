import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileSpreadsheet, Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { ApiError, explain } from '../../../api/errors';
import type { ContactImport } from '../../../api/import-paths';
import { usePermissions } from '../../../api/session';
import { shortTime } from '../../../i18n/time';
import { BackLink } from '../../../kit/back-link';
import { Status } from '../../../kit/badge';
import { Button } from '../../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../../kit/feedback';
import { Page } from '../../../kit/page';
import { Table } from '../../../kit/table';
import { messages as t } from './messages';
import { importsQuery, useUploadImport } from './queries';
import { TONES } from './texts';

export function ImportsScreen() {
  const { canWrite } = usePermissions();
  return (
    <Page
      title={t('title')}
      description={t('help')}
      back={<BackLink to="/contacts">{t('contacts')}</BackLink>}
    >
      {canWrite && <UploadFile />}
      <h2 className="font-semibold">{t('earlier')}</h2>
      <Imports />
    </Page>
  );
}

function UploadFile() {
  const navigate = useNavigate();
  const upload = useUploadImport();
  const [isOver, setOver] = useState(false);
  const send = (file: File | undefined) => {
    if (file === undefined || upload.isPending) return;
    upload.mutate(file, {
      onSuccess: ({ id }) => void navigate({ to: '/contacts/imports/$id', params: { id } }),
    });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    send(event.dataTransfer.files[0]);
  };
  return (
    <section
      aria-label={t('choose')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex flex-col items-center gap-2 rounded-lg border border-dashed p-8 text-center ${isOver ? 'border-accent bg-hover' : 'border-line-strong bg-surface'}`}
    >
      <FileSpreadsheet aria-hidden className="size-6 text-muted" />
      <ChooseFile isPending={upload.isPending} onFile={send} />
      <p className="max-w-md text-muted text-sm">{t('dropHelp')}</p>
      {upload.isError && (
        <p role="alert" className="text-danger text-sm">
          {problemOf(upload.error)}
        </p>
      )}
    </section>
  );
}

interface ChooseFileProps {
  readonly isPending: boolean;
  readonly onFile: (file: File | undefined) => void;
}

function ChooseFile({ isPending, onFile }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        hidden
        aria-label={t('choose')}
        onChange={({ target }) => {
          onFile(target.files?.[0]);
          // Allows selecting the same file again after it was corrected.
          target.value = '';
        }}
      />
      <Button kind="primary" disabled={isPending} onClick={() => input.current?.click()}>
        <Upload aria-hidden className="size-4" />
        {isPending ? t('uploading') : t('choose')}
      </Button>
    </>
  );
}

function problemOf(error: unknown): string {
  return (error instanceof ApiError ? error.fields.file : undefined) ?? explain(error).advice;
}

function Imports() {
  const imports = useInfiniteQuery(importsQuery);
  if (imports.isPending) return <SkeletonList rows={3} />;
  if (imports.isError) return <ErrorState error={imports.error} onRetry={() => void imports.refetch()} />;
  const rows = imports.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0)
    return (
      <EmptyState icon={FileSpreadsheet} title={t('none')}>
        {t('noneHelp')}
      </EmptyState>
    );
  return (
    <>
      <Table
        label={t('imports')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { title: t('file'), cell: (row) => <FileLink row={row} /> },
          { title: t('state'), cell: ({ status }) => <Status tone={TONES[status]}>{t(status)}</Status> },
          { title: t('rows'), cell: ({ rows: count }) => count },
          { title: t('created'), isMinor: true, cell: ({ counts }) => counts.created },
          { title: t('failed'), isMinor: true, cell: ({ counts }) => counts.failed },
          { title: t('created_at'), isMinor: true, cell: ({ created_at: at }) => shortTime(at) },
        ]}
      />
      {imports.hasNextPage && (
        <Button className="self-center" onClick={() => void imports.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

function FileLink({ row: { id, file_name: name } }: { readonly row: ContactImport }) {
  return (
    <Link
      to="/contacts/imports/$id"
      params={{ id }}
      className="block max-w-48 truncate font-medium hover:underline sm:max-w-none"
    >
      {name}
    </Link>
  );
}
