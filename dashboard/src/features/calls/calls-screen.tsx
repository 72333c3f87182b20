import { useInfiniteQuery } from '@tanstack/react-query';
import { PhoneCall } from 'lucide-react';
import type { Call } from '../../api/calls';
import { usePeople } from '../../api/people';
import { useSession } from '../../api/session';
import { language } from '../../i18n/language';
import { shortTime } from '../../i18n/time';
import { useAddressFilter } from '../../kit/address-filter';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Filters } from '../../kit/filters';
import { Page } from '../../kit/page';
import { Select } from '../../kit/select';
import { Table } from '../../kit/table';
import { CallActions } from './call-actions';
import { CallStatus, CallType } from './call-status';
import { messages as t } from './messages';
import { type CallFilter, callsQuery, isKnown } from './queries';

const ALL: CallFilter = { state: 'any', type: '', whose: 'all' };

export function CallsScreen() {
  const [filter, setFilter] = useAddressFilter(ALL, isKnown);
  const set = (change: Partial<CallFilter>) => setFilter({ ...filter, ...change });
  return (
    <Page title={t('title')} description={t('help')}>
      <Filters>
        <Select
          className="max-w-44"
          label={t('state')}
          value={filter.state}
          onChange={(state) => set({ state })}
          options={{
            any: t('anyState'),
            live: t('onlyLive'),
            ended: t('onlyEnded'),
            missed: t('onlyMissed'),
            failed: t('onlyFailed'),
          }}
        />
        <Select
          className="max-w-44"
          label={t('type')}
          value={filter.type}
          onChange={(type) => set({ type })}
          options={{ '': t('anyType'), voice: t('voice'), video: t('video') }}
        />
        <Select
          className="max-w-44"
          label={t('whose')}
          value={filter.whose}
          onChange={(whose) => set({ whose })}
          options={{ all: t('ofAll'), mine: t('ofMine') }}
        />
      </Filters>
      <Calls filter={filter} />
    </Page>
  );
}

function Calls({ filter }: { readonly filter: CallFilter }) {
  const { user } = useSession();
  const calls = useInfiniteQuery(callsQuery(filter, user.id));
  const rows = calls.data?.pages.flatMap(({ data }) => data) ?? [];
  const names = useNames(rows, user.id);
  if (calls.isPending) return <SkeletonList rows={6} />;
  if (calls.isError && calls.data === undefined)
    return <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />;
  if (rows.length === 0)
    return (
      <EmptyState icon={PhoneCall} title={t(filter === ALL ? 'none' : 'noneFound')}>
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
          { title: t('people'), cell: (call) => <span className="font-medium">{names(call)}</span> },
          { title: t('type'), isMinor: true, cell: ({ type }) => <CallType type={type} /> },
          { title: t('state'), cell: (call) => <CallStatus call={call} /> },
          { title: t('started'), isMinor: true, cell: ({ started_at: at }) => shortTime(at) },
          { title: t('duration'), isMinor: true, cell: ({ duration }) => durationName(duration) },
          {
            title: t('actions'),
            isAction: true,
            cell: (call) => <CallActions call={call} name={names(call)} />,
          },
        ]}
      />
      {calls.hasNextPage && (
        <Button className="self-center" onClick={() => void calls.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

/** Maximum number that fits into a row. */
const MAX_NAMES = 3;

/** Names of the participants of a call, except the user. */
function useNames(calls: readonly Call[], userId: string): (call: Call) => string {
  const idsOf = ({ participants }: Call) =>
    participants.map(({ user_id: id }) => id).filter((id) => id !== userId);
  const people = usePeople(calls.flatMap((call) => idsOf(call).slice(0, MAX_NAMES)));
  return (call) => {
    const ids = idsOf(call);
    if (ids.length === 0) return t('onlyYou');
    const shown = ids.slice(0, MAX_NAMES).map((id) => people.get(id)?.display_name || t('unnamed'));
    const others = ids.length - shown.length;
    return others === 0 ? shown.join(', ') : `${shown.join(', ')} +${others}`;
  };
}

/** Format: 1:05 or 1:02:09. */
function durationName(seconds: number | null): string {
  if (seconds === null) return '–';
  const two = (value: number) => value.toLocaleString(language, { minimumIntegerDigits: 2 });
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const rest = two(seconds % 60);
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${two(minutes)}:${rest}`;
}
