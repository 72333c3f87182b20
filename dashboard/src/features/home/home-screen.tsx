import { useQuery } from '@tanstack/react-query';
import type { Home } from '../../api/home-paths';
import { usePermissions } from '../../api/session';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { Page } from '../../kit/page';
import { Connections } from './connections';
import { Figures } from './figures';
import { messages as t } from './messages';
import { NextSteps } from './next-steps';
import { homeQuery } from './queries';
import { Traffic } from './traffic';

/** Shows the state of the workspace, and items that need attention. */
export function HomeScreen() {
  const { data, error, refetch } = useQuery(homeQuery);
  return (
    <Page title={t('title')} description={t('description')}>
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonList rows={6} />}
      {data !== undefined && <Overview home={data} />}
    </Page>
  );
}

function Overview({ home }: { readonly home: Home }) {
  const { canManage } = usePermissions();
  const isNew = canManage && Object.values(home.done).includes(false);
  return (
    <>
      {isNew && <NextSteps done={home.done} />}
      <Figures home={home} />
      <Connections connections={home.connections} />
      {home.traffic !== null && <Traffic traffic={home.traffic} />}
    </>
  );
}
