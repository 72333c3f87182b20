import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePermissions } from '../../../api/session';
import { BackLink } from '../../../kit/back-link';
import { EmptyState, ErrorState, SkeletonList } from '../../../kit/feedback';
import { Page } from '../../../kit/page';
import { broadcastQuery, isChangeable } from '../queries';
import { Composer } from './composer';
import { messages as t } from './messages';

export function NewBroadcastScreen() {
  return (
    <Frame title={t('new')} back={<BackLink to="/broadcasts">{t('all')}</BackLink>}>
      <Composer />
    </Frame>
  );
}

export function EditBroadcastScreen() {
  const { id } = useParams({ from: '/shell/broadcasts/$id/edit' });
  const { data, error, refetch } = useQuery(broadcastQuery(id));
  return (
    <Frame
      title={data?.name ?? t('edit')}
      back={
        <BackLink to="/broadcasts/$id" params={{ id }}>
          {t('toBroadcast')}
        </BackLink>
      }
    >
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
