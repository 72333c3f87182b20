import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Megaphone, Plus } from 'lucide-react';
import { usePermissions } from '../../api/session';
import { language } from '../../i18n/language';
import { shortTime } from '../../i18n/time';
import { useAddressFilter } from '../../kit/address-filter';
import { Button, buttonLook } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Filters } from '../../kit/filters';
import { Select } from '../../kit/select';
import { Table } from '../../kit/table';
import { BroadcastStatus } from './broadcast-status';
import { BroadcastsPage } from './broadcasts-page';
import { useLiveProgress } from './live-progress';
import { messages as t } from './messages';
import { doneOf, ProgressCell } from './progress';
import { type Broadcast, broadcastsQuery } from './queries';

const STATUSES = [
  'draft',
  'scheduled',
  'preparing',
  'sending',
  'paused',
  'on_hold',
  'canceling',
  'completed',
  'expired',
  'failed',
  'canceled',
] as const;

interface Filter {
  readonly status: Broadcast['status'] | '';
}

const ALL: Filter = { status: '' };
const isKnown = ({ status }: Filter) => status === '' || STATUSES.some((each) => each === status);

export function BroadcastsScreen() {
  const { canWrite } = usePermissions();
  const [{ status }, setFilter] = useAddressFilter(ALL, isKnown);
  return (
    <BroadcastsPage title={t('title')} description={t('help')} actions={canWrite && <NewBroadcast />}>
      <Filters>
        <Select
          className="max-w-52"
          label={t('state')}
          value={status}
          onChange={(next) => setFilter({ status: next })}
          options={
            {
              '': t('anyState'),
              ...Object.fromEntries(STATUSES.map((each) => [each, t(`is_${each}`)])),
            } as Record<Broadcast['status'] | '', string>
          }
        />
      </Filters>
      <Broadcasts status={status} />
    </BroadcastsPage>
  );
}

function NewBroadcast() {
  return (
    <Link to="/broadcasts/new" className={buttonLook({ kind: 'primary' })}>
      <Plus aria-hidden className="size-4" />
      {t('new')}
    </Link>
  );
}

function Broadcasts({ status }: { readonly status: Broadcast['status'] | '' }) {
  const broadcasts = useInfiniteQuery(broadcastsQuery(status));
  const rows = broadcasts.data?.pages.flatMap(({ data }) => data) ?? [];
  useLiveProgress(rows);
  if (broadcasts.isPending) return <SkeletonList rows={6} />;
  if (broadcasts.isError && broadcasts.data === undefined)
    return <ErrorState error={broadcasts.error} onRetry={() => void broadcasts.refetch()} />;
  if (rows.length === 0)
    return (
      <EmptyState icon={Megaphone} title={t(status === '' ? 'none' : 'noneFound')}>
        {t(status === '' ? 'noneHelp' : 'noneFoundHelp')}
      </EmptyState>
    );
  return (
    <>
      <Table
        label={t('title')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { title: t('name'), cell: (broadcast) => <Name broadcast={broadcast} /> },
          { title: t('state'), cell: ({ status: each }) => <BroadcastStatus status={each} /> },
          { title: t('progress'), isMinor: true, cell: (each) => <ProgressCell broadcast={each} /> },
          { title: t('failed'), isMinor: true, cell: ({ counts }) => counts.failed.toLocaleString(language) },
          { title: t('created'), isMinor: true, cell: ({ created_at: at }) => shortTime(at) },
        ]}
      />
      {broadcasts.hasNextPage && (
        <Button className="self-center" onClick={() => void broadcasts.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

function Name({ broadcast }: { readonly broadcast: Broadcast }) {
  const { id, name, category, counts } = broadcast;
  return (
    <Link to="/broadcasts/$id" params={{ id }} className="block min-w-0 max-w-44 sm:max-w-72">
      <span className="block truncate font-medium hover:underline">{name}</span>
      <span className="block truncate text-muted text-xs">
        {t(category)}
        {counts.total > 0 && <span className="md:hidden">{` · ${doneOf(broadcast)}`}</span>}
      </span>
    </Link>
  );
}
