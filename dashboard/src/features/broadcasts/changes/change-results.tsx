import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useState } from 'react';
import type { BroadcastChange, ChangedRecipient } from '../../../api/broadcast-paths';
import { type Person, usePeople } from '../../../api/people';
import { Status, type Tone } from '../../../kit/badge';
import { Button } from '../../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../../kit/feedback';
import { PlatformBadge } from '../../../kit/platform';
import { Select } from '../../../kit/select';
import { Table } from '../../../kit/table';
import { changeMessages as t } from './messages';
import { type ResultFilter, resultsQuery } from './queries';

const TONES: Readonly<Record<NonNullable<ChangedRecipient['result']>, Tone>> = {
  changed: 'success',
  unsupported: 'neutral',
  impossible: 'danger',
};

/** The result of each recipient of an edit or recall. */
export function ChangeResults({ change }: { readonly change: BroadcastChange }) {
  const [shown, setShown] = useState<ResultFilter>('');
  const results = useInfiniteQuery(resultsQuery(change, shown));
  const rows = results.data?.pages.flatMap(({ data }) => data) ?? [];
  const changed = t(change.kind === 'edit' ? 'edited' : 'recalled');
  return (
    <section aria-label={t('results')} className="flex flex-col gap-3">
      <Select
        className="max-w-60 self-start"
        label={t('result')}
        value={shown}
        onChange={setShown}
        options={{
          '': t('anyResult'),
          changed,
          unsupported: t('unsupported'),
          impossible: t('impossible'),
        }}
      />
      {results.isPending && <SkeletonList rows={3} />}
      {results.isError && rows.length === 0 && (
        <ErrorState error={results.error} onRetry={() => void results.refetch()} />
      )}
      {results.isSuccess && rows.length === 0 && <EmptyState icon={Users} title={t('noResults')} />}
      {rows.length > 0 && <Results rows={rows} changed={changed} />}
      {results.hasNextPage && (
        <Button className="self-center" onClick={() => void results.fetchNextPage()}>
          {t('moreResults')}
        </Button>
      )}
    </section>
  );
}

interface ResultsProps {
  readonly rows: readonly ChangedRecipient[];
  /** The name of the result of a change that succeeded. */
  readonly changed: string;
}

function Results({ rows, changed }: ResultsProps) {
  const people = usePeople(rows.flatMap(({ user_id: id }) => id ?? []));
  return (
    <Table
      label={t('results')}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          title: t('recipient'),
          cell: (row) => <Who row={row} person={people.get(row.user_id ?? '')} />,
        },
        {
          title: t('platform'),
          isMinor: true,
          cell: ({ platform }) => <PlatformBadge platform={platform} />,
        },
        { title: t('result'), cell: (row) => <Result row={row} changed={changed} /> },
        { title: t('reason'), cell: ({ reason }) => reason !== null && t(`because_${reason}`) },
      ]}
    />
  );
}

function Who({ row, person }: { readonly row: ChangedRecipient; readonly person: Person | undefined }) {
  const name = person?.display_name || row.address || t('unnamed');
  const id = row.user_id;
  if (id === null) return <span className="untrusted">{name}</span>;
  return (
    <Link
      to="/contacts/$id"
      params={{ id }}
      className="block max-w-36 truncate font-medium hover:underline sm:max-w-56"
    >
      {name}
    </Link>
  );
}

function Result({ row: { result }, changed }: { readonly row: ChangedRecipient; readonly changed: string }) {
  if (result === null) return <Status tone="info">{t('open')}</Status>;
  return <Status tone={TONES[result]}>{result === 'changed' ? changed : t(result)}</Status>;
}
