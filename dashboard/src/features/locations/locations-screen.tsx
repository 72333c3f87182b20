import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { MapPin } from 'lucide-react';
import { useMemo, useState } from 'react';
import { usePeople } from '../../api/people';
import { usePermissions } from '../../api/session';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Filters } from '../../kit/filters';
import { Page } from '../../kit/page';
import { Select } from '../../kit/select';
import { messages as t } from './messages';
import { pointsQuery, type SessionState, sessionsQuery, type TrackingSession } from './queries';
import { SessionDetails } from './session-details';
import { SessionList } from './session-list';
import { SessionMap } from './session-map';
import { StartSession } from './start-session';

export function LocationsScreen() {
  const { canWrite } = usePermissions();
  const [state, setState] = useState<SessionState>('live');
  const [isStarting, setIsStarting] = useState(false);
  const actions = canWrite && (
    <Button kind="primary" onClick={() => setIsStarting(true)}>
      {t('start')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('help')} actions={actions}>
      <Filters>
        <Select
          className="max-w-44"
          label={t('state')}
          value={state}
          onChange={setState}
          options={{ live: t('live'), ended: t('ended') }}
        />
      </Filters>
      <Sessions key={state} state={state} />
      {isStarting && <StartSession onClose={() => setIsStarting(false)} />}
    </Page>
  );
}

function Sessions({ state }: { readonly state: SessionState }) {
  const sessions = useInfiniteQuery(sessionsQuery(state));
  const rows = useMemo(() => sessions.data?.pages.flatMap(({ data }) => data) ?? [], [sessions.data]);
  const [chosenId, setChosenId] = useState<string>();
  const chosen = rows.find(({ id }) => id === chosenId);
  const people = usePeople(rows.map(({ user_id: id }) => id));
  const nameOf = ({ user_id: id }: TrackingSession) => people.get(id)?.display_name || t('unnamed');
  const { data: points } = useQuery({ ...pointsQuery(chosen?.id ?? ''), enabled: chosen !== undefined });
  const track = useMemo(() => (chosen === undefined ? [] : (points ?? []).toReversed()), [chosen, points]);
  const positions = useMemo(() => rows.flatMap(positionOf), [rows]);
  if (sessions.isPending) return <SkeletonList rows={6} />;
  if (sessions.isError && sessions.data === undefined)
    return <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />;
  if (rows.length === 0)
    return (
      <EmptyState icon={MapPin} title={t(state === 'live' ? 'noneLive' : 'noneEnded')}>
        {t('noneHelp')}
      </EmptyState>
    );
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-[20rem_1fr]">
        <div className="flex min-w-0 flex-col gap-2">
          <SessionList rows={rows} nameOf={nameOf} chosenId={chosen?.id} onChoose={setChosenId} />
          {sessions.hasNextPage && (
            <Button className="self-center" onClick={() => void sessions.fetchNextPage()}>
              {t('more')}
            </Button>
          )}
        </div>
        <SessionMap sessions={positions} chosen={chosen?.id} track={track} onChoose={setChosenId} />
      </div>
      {chosen !== undefined && (
        <SessionDetails key={chosen.id} session={chosen} name={nameOf(chosen)} points={points ?? []} />
      )}
    </>
  );
}

function positionOf({ id, last_location: last }: TrackingSession) {
  return last === null ? [] : [{ id, latitude: last.latitude, longitude: last.longitude }];
}
