import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Inbox, Smartphone } from 'lucide-react';
import { usePermissions } from '../../api/session';
import type { Simulator } from '../../api/simulator-paths';
import { buttonLook } from '../../kit/button';
import { CopyBox } from '../../kit/copy';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { PageTitle } from '../../kit/page-title';
import { messages as t } from './messages';
import { Phone } from './phone';
import { liveSimulatorsQuery } from './queries';
import { TroublePanel } from './trouble-panel';

const START = 'npm start -- --simulators';

/** Phones of people on the simulated platforms. They show the view of the contacts. */
export function SimulatorsScreen() {
  const { canManage } = usePermissions();
  return (
    <div className="h-full overflow-y-auto">
      <PageTitle title={t('title')} />
      <div className="flex flex-col gap-5 px-4 py-6 sm:px-6">
        <header className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <h1 className="font-semibold text-xl">{t('title')}</h1>
            <p className="mt-0.5 max-w-3xl text-muted">{t('help')}</p>
          </div>
          <Link to="/inbox" className={buttonLook()}>
            <Inbox aria-hidden className="size-4" />
            {t('toInbox')}
          </Link>
        </header>
        {canManage ? <Simulators /> : <EmptyState icon={Smartphone} title={t('managersOnly')} />}
      </div>
    </div>
  );
}

function Simulators() {
  const { data, error, refetch } = useQuery(liveSimulatorsQuery);
  if (error !== null && data === undefined)
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonList rows={6} />;
  if (data.length === 0) return <Without />;
  return <Phones simulators={data} />;
}

function Phones({ simulators }: { readonly simulators: readonly Simulator[] }) {
  return (
    <>
      <div className="-mx-4 -mb-4 flex snap-x snap-mandatory gap-5 overflow-x-auto px-4 pb-9 sm:-mx-6 sm:px-6">
        {simulators.map((simulator) => (
          <Phone key={simulator.platform} simulator={simulator} />
        ))}
      </div>
      <TroublePanel simulators={simulators} />
    </>
  );
}

function Without() {
  return (
    <EmptyState icon={Smartphone} title={t('without')} action={<CopyBox label={t('command')} text={START} />}>
      {t('withoutHelp')}
    </EmptyState>
  );
}
