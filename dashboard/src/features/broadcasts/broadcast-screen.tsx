import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePermissions } from '../../api/session';
import { momentTime, wallTime } from '../../i18n/time';
import { BackLink } from '../../kit/back-link';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { Card, Page } from '../../kit/page';
import { ScrolledText } from '../../kit/scrolled-text';
import { BroadcastActions } from './broadcast-actions';
import { BroadcastStatus } from './broadcast-status';
import { BroadcastChanges } from './changes/broadcast-changes';
import { useLiveProgress } from './live-progress';
import { messages as t } from './messages';
import { PlatformBars } from './platform-bars';
import { doneOf, StatusBar } from './progress';
import { type Broadcast, broadcastQuery, localStart } from './queries';
import { endOf, usePace } from './rate';
import { Recipients } from './recipients';

export function BroadcastScreen() {
  const { id } = useParams({ from: '/shell/broadcasts/$id' });
  const { data, error, refetch, dataUpdatedAt } = useQuery(broadcastQuery(id));
  useLiveProgress(data === undefined ? [] : [data]);
  const { canWrite } = usePermissions();
  return (
    <Page
      title={data?.name ?? t('broadcast')}
      back={<BackLink to="/broadcasts">{t('title')}</BackLink>}
      actions={canWrite && data !== undefined ? <BroadcastActions broadcast={data} /> : undefined}
    >
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonList rows={5} />}
      {data !== undefined && <Details broadcast={data} readAt={dataUpdatedAt} />}
    </Page>
  );
}

interface DetailsProps {
  readonly broadcast: Broadcast;
  readonly readAt: number;
}

function Details({ broadcast, readAt }: DetailsProps) {
  const { counts, status, error, text, content_type } = broadcast;
  return (
    <>
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <BroadcastStatus status={status} />
          {counts.total > 0 && (
            <span className="font-semibold text-sm tabular-nums">{doneOf(broadcast)}</span>
          )}
        </div>
        {counts.total > 0 ? (
          <StatusBar label={t('progress')} counts={counts} />
        ) : (
          <p className="text-muted text-sm">{t('notFrozen')}</p>
        )}
        <Facts broadcast={broadcast} readAt={readAt} />
        {error !== null && (
          <p role="alert" className="untrusted text-danger text-sm">
            {`${error.message} (${error.code})`}
          </p>
        )}
      </Card>
      <BroadcastChanges broadcast={broadcast} />
      {counts.total > 0 && <PlatformBars broadcast={broadcast} />}
      {text !== null && (
        <Card title={t('text')}>
          <ScrolledText text={text} isMarkdown={content_type === 'markdown'} />
        </Card>
      )}
      {counts.total > 0 && <Recipients broadcast={broadcast} />}
    </>
  );
}

function Facts({ broadcast, readAt }: DetailsProps) {
  const { throttle, category, schedule, scheduled_at, started_at, completed_at, canceled_at } = broadcast;
  const local = localStart(schedule);
  const quiet = schedule?.quiet_hours;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 text-sm sm:grid-cols-4">
      <Fact name={t('category')}>{t(category)}</Fact>
      <PaceFacts broadcast={broadcast} readAt={readAt} />
      {throttle !== null && (
        <Fact name={t('throttle')}>{t('perMinute', { count: throttle.per_minute })}</Fact>
      )}
      {local === null ? (
        <Moment name={t('scheduled')} at={scheduled_at} />
      ) : (
        <Fact name={t('scheduled')}>{t('locally', { time: wallTime(local) })}</Fact>
      )}
      {quiet != null && (
        <Fact name={t('is_on_hold')}>{`${quiet.from}–${quiet.to} ${quiet.timezone ?? ''}`}</Fact>
      )}
      <Moment name={t('started')} at={started_at} />
      <Moment name={t('ended')} at={completed_at ?? canceled_at} />
    </dl>
  );
}

function PaceFacts({ broadcast, readAt }: DetailsProps) {
  const pace = usePace(broadcast, readAt);
  if (broadcast.status !== 'sending') return null;
  const { rate } = pace;
  const end = endOf(broadcast, pace);
  const unknown = t(rate === undefined ? 'measuring' : 'unknownYet');
  return (
    <>
      <Fact name={t('rate')}>{rate === undefined ? t('measuring') : t('perMinute', { count: rate })}</Fact>
      <Fact name={t('eta')}>{end === undefined ? unknown : momentTime(end)}</Fact>
    </>
  );
}

function Moment({ name, at }: { readonly name: string; readonly at: string | null }) {
  return at === null ? null : <Fact name={name}>{momentTime(at)}</Fact>;
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}
