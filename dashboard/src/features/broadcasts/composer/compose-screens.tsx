import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePermissions } from '../../../api/session';
import { EmptyState, ErrorState, SkeletonList } from '../../../kit/feedback';
import { Page } from '../../../kit/page';
import { broadcastQuery, isChangeable } from '../queries';
import { Composer } from './composer';
import { messages as t } from './messages';

export function NewBroadcastScreen() {
  return (
    <Frame title={t('new')} back={<BackToList />}>
      <Composer />
    </Frame>
  );
}

export function EditBroadcastScreen() {
  const { id } = useParams({ from: '/shell/broadcasts/$id/edit' });
  const { data, error, refetch } = useQuery(broadcastQuery(id));
  return (
    <Frame title={data?.name ?? t('edit')} back={<BackToBroadcast id={id} />}>
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonList rows={5} />}
      {data !== undefined && isChangeable(data) && <Composer key={id} broadcast={data} />}
      {data !== undefined && !isChangeable(data) && (
        <EmptyState icon={Lock} title={t('begun')}>
          {t('begunHelp')}
        </EmptyState>
      )}
    </Frame>
  );
}

interface FrameProps {
  readonly title: string;
  readonly back: ReactNode;
  readonly children: ReactNode;
}

function Frame({ title, back, children }: FrameProps) {
  const { canWrite } = usePermissions();
  return (
    <Page title={title} back={back}>
      {canWrite ? (
        children
      ) : (
        <EmptyState icon={Lock} title={t('readOnly')}>
          {t('readOnlyHelp')}
        </EmptyState>
      )}
    </Page>
  );
}

const LOOK = 'inline-flex items-center gap-1 hover:underline touch:min-h-10';

function BackToList() {
  return (
    <Link to="/broadcasts" className={LOOK}>
      <ArrowLeft aria-hidden className="size-4" />
      {t('all')}
    </Link>
  );
}

function BackToBroadcast({ id }: { readonly id: string }) {
  return (
    <Link to="/broadcasts/$id" params={{ id }} className={LOOK}>
      <ArrowLeft aria-hidden className="size-4" />
      {t('toBroadcast')}
    </Link>
  );
}
